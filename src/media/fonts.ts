import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { escapeXml } from '../base/escape-xml.ts'

/** The font family for drawings. It ships with Sightline, so text looks the same on every machine. */
export const DRAWING_FONT = 'DejaVu Sans'

/** Fonts of the system, used for glyphs that the bundled one does not have. */
const SYSTEM_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '/System/Library/Fonts', '/Library/Fonts']

/** File names of the usual fonts with Chinese characters; no bundled font has them, because they weigh megabytes. */
const CHINESE_FONT =
  /cjk|noto\s?(?:sans|serif)\s?(?:sc|tc|hk)|source\s?han|wqy|wenquanyi|pingfang|msyh|simsun|simhei|heiti|songti|droidsansfallback|uming|ukai/i

/**
 * Whether drawings can show Chinese here. Without such a font, the renderer draws boxes. A font configuration set by the
 * user is trusted.
 */
export function canDrawChinese(folders: readonly string[] = SYSTEM_FOLDERS): boolean {
  if (folders === SYSTEM_FOLDERS && isConfigured()) return true
  return folders.some((folder) => {
    try {
      return readdirSync(folder, { recursive: true }).some((name) => CHINESE_FONT.test(String(name)))
    } catch {
      return false
    }
  })
}

/** Whether the user has configured fonts, rather than this module, in this thread or another. */
function isConfigured(): boolean {
  const { FONTCONFIG_FILE: file, FONTCONFIG_PATH: path } = process.env
  return Boolean(path) || (Boolean(file) && file !== join(ownFolder(), 'fonts.conf'))
}

function ownFolder(): string {
  return join(tmpdir(), `sightline-fonts-${process.getuid?.() ?? 'user'}`)
}

let prepared = false

/**
 * Provides fonts to the SVG renderer on machines without any. The renderer reads its configuration once, at the first
 * text, so this must run before any drawing. A configuration set by the user takes precedence.
 */
export function prepareFonts(): void {
  if (prepared || isConfigured()) return
  prepared = true
  const fonts = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
  if (!existsSync(fonts)) return
  const folder = ownFolder()
  mkdirSync(join(folder, 'cache'), { recursive: true })
  const file = join(folder, 'fonts.conf')
  writeFileSync(file, configuration(fonts, join(folder, 'cache')))
  process.env['FONTCONFIG_FILE'] = file
}

/** Bundled fonts first; system fonts only for missing glyphs, such as Chinese. */
function configuration(fonts: string, cache: string): string {
  const folders = [fonts, ...SYSTEM_FOLDERS].map((folder) => `  <dir>${escapeXml(folder)}</dir>`).join('\n')
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
