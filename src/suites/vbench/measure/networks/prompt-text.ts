/**
 * The text of a prompt as CLIP's tokenizer cleans it: ftfy, HTML entities, white space. Of ftfy, what guesses a wrong
 * encoding ("Ã©" for "é") is not done here; of HTML, the entities below and numbers are known.
 */

const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    apos: "'",
    copy: '©',
    deg: '°',
    eacute: 'é',
    gt: '>',
    hellip: '…',
    ldquo: '“',
    lsquo: '‘',
    lt: '<',
    mdash: '—',
    nbsp: '\u{A0}',
    ndash: '–',
    quot: '"',
    rdquo: '”',
    reg: '®',
    rsquo: '’',
    times: '×',
    trade: '™',
  }),
)

const LARGEST_CODE = 0x10_ff_ff

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(String(name)) ?? whole
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return code > 0 && code <= LARGEST_CODE ? String.fromCodePoint(code) : whole
  })
}

/** Latin ligatures; wide Latin and narrow Katakana letters. */
const COMPATIBLE = /[ĲĳŉǄ-ǌǱ-ǳﬀ-ﬄﬆ\u{FF01}-\u{FFEF}\u{3000}]+/gu
const CONTROLS = /[^\P{Cc}\t\n\f\r\u{80}-\u{9F}]|[\u{206A}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFC}]/gu
/** What ftfy does, until nothing changes. */
function fixed(text: string): string {
  const next = (text.includes('<') ? text : unescaped(text))
    .replaceAll('ﬅ', 'ſt')
    .replaceAll(COMPATIBLE, (letters) => letters.normalize('NFKC'))
    .replaceAll(/[“-‟]/g, '"')
    .replaceAll(/[ʼ‘-‛]/g, "'")
    .replaceAll(CONTROLS, '')
    .normalize('NFC')
  return next === text ? text : fixed(next)
}

export function cleanedPrompt(text: string): string {
  return unescaped(unescaped(fixed(text)))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
