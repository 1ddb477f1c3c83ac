/** The HTML page of an exported folder. */
import { escapeXml } from '../../base/escape-xml.ts'

/** As strict as possible for a page opened from disk, where `'self'` matches nothing and files need their scheme. */
const policy = (hasPanel: boolean): string =>
  [
    "default-src 'none'",
    // Modules cannot load from disk, so the page imports the panel from a blob.
    `script-src 'self' file:${hasPanel ? ' blob:' : ''}`,
    "style-src 'self' file:",
    "img-src 'self' file: data: blob:",
    "media-src 'self' file: blob:",
    "font-src 'self' file:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

export function sharedPage(title: string, hasPanel = false): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy(hasPanel)}" />
    <meta name="referrer" content="no-referrer" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escapeXml(title)}</title>
    <link rel="icon" href="icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="viewer.css" />
    <script defer src="viewer.js"></script>
  </head>
  <body>
    <div id="app"></div>
    <noscript>This page shows a Sightline run and requires JavaScript.</noscript>
  </body>
</html>
`
}
