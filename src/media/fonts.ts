import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { escapeXml } from '../base/escape-xml.ts'

/** The font family for drawings. It ships with Sightline, so text looks the same on every machine. */
export const DRAWING_FONT = 'DejaVu Sans'

let prepared = false

/**
 * Provides fonts to the SVG renderer on machines without any. The renderer reads its configuration once, at the first
 * text, so this must run before any drawing. A configuration set by the user takes precedence.
 */
export function prepareFonts(): void {
  if (prepared) return
  prepared = true
  if (process.env['FONTCONFIG_FILE'] || process.env['FONTCONFIG_PATH']) return
  const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
  if (!existsSync(fonts)) return
  const folder = join(tmpdir(), `sightline-fonts-${process.getuid?.() ?? 'user'}`)
  mkdirSync(join(folder, 'cache'), { recursive: true })
  const file = join(folder, 'fonts.conf')
  writeFileSync(file, configuration(fonts, join(folder, 'cache')))
  process.env['FONTCONFIG_FILE'] = file
}

/** Bundled fonts first; system fonts only for missing glyphs, such as Chinese. */
function configuration(fonts: string, cache: string): string {
  const systemFolders = ['/usr/share/fonts', '/usr/local/share/fonts', '/System/Library/Fonts', '/Library/Fonts']
  const folders = [fonts, ...systemFolders].map((folder) => `  <dir>${escapeXml(folder)}</dir>`).join('\n')
  const aliases = [
    ['sans-serif', DRAWING_FONT],
    ['serif', 'DejaVu Serif'],
    ['monospace', 'DejaVu Sans Mono'],
  ]
    .map(
      ([from, to]) =>
        `  <alias binding="strong"><family>${from}</family><prefer><family>${to}</family></prefer></alias>`,
    )
    .join('\n')
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders}
  <cachedir>${escapeXml(cache)}</cachedir>
${aliases}
</fontconfig>
`
}
