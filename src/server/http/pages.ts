/** The pages for browsers without the token's cookie. They load nothing, because nothing is served without it. */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { escapeXml } from '../../base/escape-xml.ts'

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem }
h1 { font-size: 1.25rem; margin: 0 0 .5rem }
code { font: .9em ui-monospace, monospace }
`
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function tokenRequiredPage(c: Context): Response {
  const body = `<h1>Open the link from your terminal</h1>
<p>Open the link that <code>sightline view</code> printed, including <code>?token=…</code>. A browser needs it once, and again
after the server restarts.</p>
<p>If the terminal is gone, stop the server and run <code>sightline view</code> again.</p>`
  return page(c, body, 401, { 'WWW-Authenticate': 'Bearer' })
}

/**
 * For links on other sites. The browser sends a `SameSite=Strict` cookie only with requests of the server's own pages, so
 * this one requests the target again.
 */
export function openingPage(c: Context, target: string): Response {
  const body = `<h1>Opening Sightline…</h1>\n<p><a href="${escapeXml(target)}">Continue</a></p>`
  return page(c, body, 200, { Refresh: `0; url=${target}` })
}

function page(c: Context, body: string, status: 200 | 401, headers: Readonly<Record<string, string>>): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sightline</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
  return c.html(html, status, { ...headers, 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' })
}
