/** Redacts API keys and passwords from all output of this layer. */

/** Redacting shorter strings would blank out ordinary words. */
const MIN_SECRET_LENGTH = 6

export type Redact = (text: string) => string

/**
 * Replaces every secret with `[redacted]`: verbatim, with any of its characters escaped as in a URL, JSON or HTML, in
 * hexadecimal, and in Base64, also as a part of a longer text that was encoded. Everything is done in a fixed number of
 * passes over the text.
 */
export function redactor(secrets: readonly (string | undefined)[]): Redact {
  const known = new Set(secrets.filter((secret) => secret !== undefined && secret.length >= MIN_SECRET_LENGTH))
  const codes = [...known].flatMap((secret) => codesOf(secret!))
  return (text) => {
    const found: Range[] = []
    for (const [name, { read, pattern, decode }] of READINGS) {
      const wanted = codes.filter((code) => code.reading === name)
      const rough = wanted.length === 0 ? '' : read(text)
      const present = wanted.filter(({ needle }) => rough.includes(needle))
      if (present.length === 0) continue
      const reading = decoded(text, pattern, decode)
      for (const { needle } of present) found.push(...rangesOf(needle, reading))
    }
    return found.length === 0 ? text : withoutRanges(text, found)
  }
}

/** What to look for, and in which reading of a text. */
interface Code {
  reading: 'as it is' | 'without escapes' | 'in hexadecimal' | 'in Base64'
  needle: string
}

function codesOf(secret: string): Code[] {
  const bytes = Buffer.from(secret)
  // A URL escapes bytes, JSON characters. A backslash of the secret itself looks like an escape.
  const unescaped = [secret, bytes.toString('latin1')].map((needle) => needle.replaceAll('\\', ''))
  // Three bytes make four characters, so there are three ways to begin.
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    // Of six bits each; those at the ends have bits of other bytes.
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  return [
    { reading: 'as it is', needle: secret },
    ...unescaped.map((needle) => ({ reading: 'without escapes' as const, needle })),
    { reading: 'in hexadecimal', needle: bytes.toString('hex') },
    ...inBase64.map((needle) => ({ reading: 'in Base64' as const, needle })),
  ]
}

/** A way to read a text: quickly, and with the place of every character in the original if that finds a secret. */
interface Decoding {
  read: (text: string) => string
  pattern: RegExp
  /** What a match of the pattern stands for; never longer than the match. */
  decode: (match: string, ...groups: (string | undefined)[]) => string
}

/** Escapes of JSON within JSON have several backslashes, and a URL within a URL has `%25` for a percent sign. */
const ESCAPE = /\\+(?:u([\da-f]{4})|x([\da-f]{2})|)|%(?:25)*([\da-f]{2})|&#x([\da-f]{1,6});?|&#(\d{1,7});?/gi

function fromEscape(_: string, ...[unit, byte, percent, html, decimal]: (string | undefined)[]): string {
  const code = unit ?? byte ?? percent ?? html
  if (code === undefined && decimal === undefined) return ''
  return String.fromCodePoint(Math.min(code === undefined ? Number(decimal) : parseInt(code, 16), 0x10ffff))
}

const READINGS: readonly (readonly [Code['reading'], Decoding])[] = [
  ['as it is', { read: (text) => text, pattern: /(?!)/g, decode: (match) => match }],
  ['without escapes', { read: (text) => text.replaceAll(ESCAPE, fromEscape), pattern: ESCAPE, decode: fromEscape }],
  [
    // `736b2d`, `73 6B 2D`, `0x73, 0x6b`.
    'in hexadecimal',
    {
      read: (text) => text.replaceAll(/0x|[\s:,_-]+/g, '').toLowerCase(),
      pattern: /0x|[\s:,_-]+|[A-F]/g,
      decode: (match) => (/[A-F]/.test(match) ? match.toLowerCase() : ''),
    },
  ],
  [
    // Broken into lines, or with the characters for URLs.
    'in Base64',
    {
      read: (text) =>
        text
          .replaceAll(/\\+[rn]?|\s+/g, '')
          .replaceAll(/-|%(?:25)*2b/gi, '+')
          .replaceAll(/_|%(?:25)*2f/gi, '/'),
      pattern: /\\+[rn]?|\s+|[-_]|%(?:25)*2[bf]/gi,
      decode: (match) => (/-|%.*b$/i.test(match) ? '+' : /_|%.*f$/i.test(match) ? '/' : ''),
    },
  ],
]

/** A decoded text, with the place of every character in the original. */
interface Reading {
  text: string
  starts: Uint32Array
  ends: Uint32Array
}

function decoded(text: string, pattern: RegExp, decode: Decoding['decode']): Reading {
  const pieces: string[] = []
  const starts = new Uint32Array(text.length)
  const ends = new Uint32Array(text.length)
  let length = 0
  let next = 0
  const copyUntil = (end: number): void => {
    pieces.push(text.slice(next, end))
    for (; next < end; next++, length++) {
      starts[length] = next
      ends[length] = next + 1
    }
  }
  for (const match of text.matchAll(pattern)) {
    copyUntil(match.index)
    next = match.index + match[0].length
    const piece = decode(match[0], ...match.slice(1))
    pieces.push(piece)
    starts.fill(match.index, length, length + piece.length)
    ends.fill(next, length, length + piece.length)
    length += piece.length
  }
  copyUntil(text.length)
  return { text: pieces.join(''), starts, ends }
}

/** In the original text. */
type Range = readonly [start: number, end: number]

function rangesOf(needle: string, { text, starts, ends }: Reading): Range[] {
  const ranges: Range[] = []
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    ranges.push([starts[at]!, ends[at + needle.length - 1]!])
  }
  return ranges
}

/** Ranges that overlap, as those of a secret in another, are replaced once. */
function withoutRanges(text: string, ranges: Range[]): string {
  let clean = ''
  let next = 0
  for (const [start, end] of ranges.sort((a, b) => a[0] - b[0])) {
    if (start >= next) clean += `${text.slice(next, start)}[redacted]`
    next = Math.max(next, end)
  }
  return clean + text.slice(next)
}

/** Both `user:password` and the password alone. */
export function passwordsIn(credentials: string | undefined): string[] {
  return credentials === undefined ? [] : [credentials, credentials.slice(credentials.indexOf(':') + 1)]
}

/** Passwords in the proxy URLs of the environment. */
export function proxyPasswords(env: Readonly<Record<string, string | undefined>>): string[] {
  const proxies = [env.http_proxy, env.HTTP_PROXY, env.https_proxy, env.HTTPS_PROXY]
  return proxies.flatMap((text) => {
    const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
    return url?.password ? [url.password] : []
  })
}
