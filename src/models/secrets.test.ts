import { describe, expect, it } from 'vitest'
import { Random } from '../base/random.ts'
import { redactor } from './secrets.ts'

const perCharacter = (text: string, encode: (code: number) => string): string =>
  Array.from({ length: text.length }, (_, i) => encode(text.charCodeAt(i))).join('')
const digits = (code: number, width: number): string => code.toString(16).padStart(width, '0')
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')

/** Every way to write a key that a server has echoed, or might. */
const ENCODINGS: Readonly<Record<string, (key: string) => string>> = {
  verbatim: (key) => `Bearer ${key}!`,
  twice: (key) => `${key} ${key}`,
  'in a URL': (key) => `?key=${encodeURIComponent(key)}&x=1`,
  'in a URL, every character': (key) => hex(key).replaceAll(/../g, '%$&'),
  'in a URL within a URL': (key) => encodeURIComponent(encodeURIComponent(key)),
  'in JSON': (key) => JSON.stringify({ key }),
  'in JSON within JSON': (key) => JSON.stringify(JSON.stringify({ key })),
  'split by a JSON escape': (key) =>
    `${key.slice(0, 3)}\\u${digits(key.charCodeAt(3), 4).toUpperCase()}${key.slice(4)}`,
  'in JSON escapes': (key) => perCharacter(key, (code) => `\\u${digits(code, 4)}`),
  'in JSON escapes within JSON': (key) => JSON.stringify(perCharacter(key, (code) => `\\u${digits(code, 4)}`)),
  'in escapes of C': (key) => hex(key).replaceAll(/../g, '\\x$&'),
  'in HTML': (key) => perCharacter(key, (code) => `&#${code};`),
  'in hexadecimal': (key) => `the key is ${hex(key)}.`,
  'in uppercase hexadecimal': (key) => hex(key).toUpperCase(),
  'in mixed hexadecimal': (key) => Array.from(hex(key), (c, i) => (i % 2 ? c.toUpperCase() : c)).join(''),
  'in hexadecimal with spaces': (key) => hex(key).replaceAll(/../g, '$& '),
  'in hexadecimal bytes of code': (key) => hex(key).replaceAll(/../g, '0x$&, '),
  'in Base64': (key) => `Basic ${base64(key)}`,
  'in Base64 of a header': (key) => base64(`Authorization: Bearer ${key}\r\n`),
  'in Base64, one byte later': (key) => base64(`x${key}`),
  'in Base64, two bytes later': (key) => base64(`xy${key}zz`),
  'in Base64 for URLs': (key) => Buffer.from(`{"k":"${key}"}`).toString('base64url'),
  'in lines of Base64': (key) => base64(key).replaceAll(/.{7}/g, '$&\n'),
}

/** What is left of a text, decoded in every way. */
function readings(text: string): string[] {
  const plain = text.replaceAll('[redacted]', '\n')
  const tight = plain.replaceAll(/0x|[\s,:_-]/g, '')
  return [
    plain,
    ...(plain.match(/[\w+/-]{6,}/g) ?? []).map((word) => Buffer.from(word, 'base64').toString('latin1')),
  ].concat((tight.match(/[0-9a-f]{12,}/gi) ?? []).map((word) => Buffer.from(word, 'hex').toString('latin1')))
}

describe.each(['sk-proj-Ab12/+9_zz', 'k/e"y+with=signs\\', 'pass: wörd 字 €', 'abcdef'])('the key %s', (key) => {
  it.each(Object.keys(ENCODINGS))('is redacted %s', (name) => {
    const text = ENCODINGS[name]!(key)
    const clean = redactor([key])(`before ${text} after`)
    expect(clean).toContain('[redacted]')
    expect(clean.startsWith('before ') && clean.endsWith(' after')).toBe(true)
    for (const reading of readings(clean)) {
      for (let i = 0; i + 5 <= key.length; i++) expect(reading).not.toContain(key.slice(i, i + 5))
    }
  })
})

it('redacts a secret that contains another completely', () => {
  expect(redactor(['password', 'user:password'])('I am user:password, or password.')).toBe(
    'I am [redacted], or [redacted].',
  )
})

it('redacts an access token of any length', () => {
  const token = `ya29.${'Ab0_-'.repeat(500)}`
  expect(redactor([token])(`token ${token}, and ${hex(token)}.`)).toBe('token [redacted], and [redacted].')
})

it('leaves everything else alone', () => {
  const text = 'Turn left 90°, then 0x73 0x6b 0x2d; c2stcHJvag==, %73%6b, \\u0073.'
  expect(redactor([undefined, '', 'short', 'sk-proj-Ab12'])(text)).toBe(text)
})

it('takes time that grows with the text, whatever is in it', () => {
  const key = `${'a'.repeat(60)}b`
  const redact = redactor([key])
  const random = new Random('hostile')
  const pieces = ['a', '\\', '%61', '\\u0061', '61', '0x', ' ', 'YWFh', '&#97;', key.slice(0, -1)]
  const hostile = (length: number): string => {
    let text = ''
    while (text.length < length) text += random.pick(pieces).repeat(random.between(1, 40))
    return text
  }
  const seconds = (text: string): number => {
    const start = process.cpuUsage()
    redact(text)
    return process.cpuUsage(start).user / 1e6
  }
  seconds(hostile(50_000))
  const [short, long] = [hostile(50_000), hostile(400_000)].map(seconds) as [number, number]
  // Eight times the text; a quadratic pattern would take 64 times as long.
  expect(long).toBeLessThan(24 * Math.max(short, 0.02))
})
