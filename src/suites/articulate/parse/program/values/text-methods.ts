/** The methods of str. */
import { fault } from './errors.ts'
import { bounds } from './indexing.ts'
import { count, integer } from './numbers.ts'
import { itemsOf, typeName } from './protocol.ts'
import { templateFormat } from './percent.ts'
import type { Runtime } from './runtime.ts'
import { type Body, native } from './signature.ts'
import { charsOf, paddedTo, textOf } from './text.ts'
import { Dict, List, Native, textIn, Tuple, TYPES, type Value, Wrapped } from './value.ts'

const WHITE = /[\s\u0085]/u

/** A method that takes its text and gives one; its cost is its length. */
function mapping(map: (text: string) => string): Body {
  return (rt, [self]) => {
    const text = textOf(rt, self, 'self')
    rt.text(text.length)
    rt.work(text.length / 8)
    return map(text)
  }
}

function testing(test: (text: string) => boolean): Body {
  return (rt, [self]) => {
    const text = textOf(rt, self, 'self')
    rt.work(text.length / 8)
    return test(text)
  }
}

function stripping(fromStart: boolean, fromEnd: boolean): Body {
  return (rt, [self, chars]) => {
    const text = textOf(rt, self, 'self')
    rt.work(text.length / 8)
    const set = chars === undefined || chars === null ? null : new Set(textOf(rt, chars, 'strip arg'))
    const isStripped = (char: string): boolean => (set ? set.has(char) : WHITE.test(char))
    const points = charsOf(rt, text)
    let [start, end] = [0, points.length]
    if (fromStart) while (start < end && isStripped(points[start]!)) start += 1
    if (fromEnd) while (end > start && isStripped(points[end - 1]!)) end -= 1
    return typeof points === 'string' ? points.slice(start, end) : Array.from(points).slice(start, end).join('')
  }
}

function finding(fromEnd: boolean, isDemanded: boolean): Body {
  return (rt, [self, sub, start, end]) => {
    const text = textOf(rt, self, 'self')
    if (typeof sub !== 'string') throw fault(rt, 'TypeError', `must be str, not ${typeName(sub ?? null)}`)
    rt.work(text.length / 16)
    const [from, to] = bounds(rt, start, end, text.length)
    const part = text.slice(from, to)
    const at = from > to ? -1 : fromEnd ? part.lastIndexOf(sub) : part.indexOf(sub)
    if (at < 0 && isDemanded) throw fault(rt, 'ValueError', 'substring not found')
    return BigInt(at < 0 ? -1 : charsOf(rt, text.slice(0, at + from)).length)
  }
}

function affix(isEnd: boolean): Body {
  return (rt, [self, part, start, end]) => {
    const text = textOf(rt, self, 'self')
    const [from, to] = bounds(rt, start, end, text.length)
    const within = text.slice(from, to)
    const parts = part instanceof Tuple ? part.items : [part ?? null]
    rt.work(parts.length)
    return parts.some((one) => {
      if (typeof one !== 'string')
        throw fault(
          rt,
          'TypeError',
          `${isEnd ? 'endswith' : 'startswith'} first arg must be str or a tuple of str, not ${typeName(one)}`,
        )
      return isEnd ? within.endsWith(one) : within.startsWith(one)
    })
  }
}

function listOf(rt: Runtime, texts: readonly string[]): List {
  rt.make(texts.length)
  return new List([...texts])
}

function split(fromEnd: boolean): Body {
  return (rt, [self, by, most]) => {
    const text = textOf(rt, self, 'self')
    rt.work(1 + text.length / 8)
    const limit = most === undefined ? -1 : count(rt, most)
    if (by === undefined || by === null) return listOf(rt, splitWhite(text, limit, fromEnd))
    const separator = textOf(rt, by, 'separator')
    if (separator === '') throw fault(rt, 'ValueError', 'empty separator')
    const parts = text.split(separator)
    if (limit < 0 || parts.length <= limit + 1) return listOf(rt, parts)
    return listOf(
      rt,
      fromEnd
        ? [parts.slice(0, parts.length - limit).join(separator), ...parts.slice(parts.length - limit)]
        : [...parts.slice(0, limit), parts.slice(limit).join(separator)],
    )
  }
}

function splitWhite(text: string, limit: number, fromEnd: boolean): string[] {
  const words = [...text.matchAll(/[^\s\u0085]+/gu)]
  if (limit < 0 || words.length <= limit) return words.map(([word]) => word)
  if (fromEnd) {
    const kept = words.slice(words.length - limit)
    const head = words[words.length - limit - 1]
    if (!head) return kept.map(([word]) => word)
    return [text.slice(0, head.index + head[0].length).trimStart(), ...kept.map(([word]) => word)]
  }
  const rest = words[limit]!
  return [...words.slice(0, limit).map(([word]) => word), text.slice(rest.index).trimEnd()]
}

function partition(fromEnd: boolean): Body {
  return (rt, [self, by]) => {
    const [text, separator] = [textOf(rt, self, 'self'), textOf(rt, by, 'separator')]
    if (separator === '') throw fault(rt, 'ValueError', 'empty separator')
    rt.work(text.length / 16)
    const at = fromEnd ? text.lastIndexOf(separator) : text.indexOf(separator)
    if (at < 0) return new Tuple(fromEnd ? ['', '', text] : [text, '', ''])
    return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)])
  }
}

function padding(start: (missing: number) => number): Body {
  return (rt, [self, width, fill]) => {
    const [text, missing, char] = paddedTo(rt, textOf(rt, self, 'self'), width, fill)
    const before = start(missing)
    return char.repeat(before) + text + char.repeat(missing - before)
  }
}

/** Letters after something that is not a letter are capital. */
function title(text: string): string {
  let isInside = false
  return Array.from(text, (char) => {
    const isLetter = char.toLowerCase() !== char.toUpperCase()
    const made = !isLetter ? char : isInside ? char.toLowerCase() : char.toUpperCase()
    isInside = isLetter
    return made
  }).join('')
}

const isCased = (text: string): boolean => text.toLowerCase() !== text.toUpperCase()

const join: Body = (rt, [self, list]) => {
  const items = itemsOf(rt, list!)
  let length = Math.max(0, items.length - 1) * textOf(rt, self, 'self').length
  const texts = items.map((item, i) => {
    if (typeof item !== 'string')
      throw fault(rt, 'TypeError', `sequence item ${i}: expected str instance, ${typeName(item)} found`)
    length += item.length
    return item
  })
  rt.text(length)
  return texts.join(textIn(self))
}

const replace: Body = (rt, [self, old, by, most]) => {
  const text = textOf(rt, self, 'self')
  const [from, to] = [textOf(rt, old, 'replace() argument 1'), textOf(rt, by, 'replace() argument 2')]
  const limit = most === undefined ? -1 : count(rt, most)
  rt.work(1 + text.length / 8)
  const parts = from === '' ? ['', ...charsArray(rt, text), ''] : text.split(from)
  const times = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1)
  rt.text(text.length + times * (to.length - from.length))
  const head = parts.slice(0, times + 1).join(to)
  const tail = parts.slice(times + 1)
  return tail.length === 0 ? head : head + from + tail.join(from)
}

function charsArray(rt: Runtime, text: string): string[] {
  rt.make(text.length)
  return Array.from(charsOf(rt, text))
}

const splitLines: Body = (rt, [self, keep]) => {
  const text = textOf(rt, self, 'self')
  rt.work(1 + text.length / 8)
  const lines = text.match(/[^\n\r\v\f\u0085\u2028\u2029]*(?:\r\n|[\n\r\v\f\u0085\u2028\u2029]|$)/gu) ?? []
  if (lines.at(-1) === '') lines.pop()
  return listOf(
    rt,
    keep === true ? lines : lines.map((line) => line.replace(/(?:\r\n|[\n\r\v\f\u0085\u2028\u2029])$/u, '')),
  )
}

const counting: Body = (rt, [self, sub, start, end]) => {
  const text = textOf(rt, self, 'self')
  const part = textOf(rt, sub, 'must be str')
  rt.work(1 + text.length / 8)
  const [from, to] = bounds(rt, start, end, text.length)
  if (from > to) return 0n
  const within = text.slice(from, to)
  return BigInt(part === '' ? charsOf(rt, within).length + 1 : within.split(part).length - 1)
}

const zeroFill: Body = (rt, [self, width]) => {
  const text = textOf(rt, self, 'self')
  const missing = count(rt, width!) - charsOf(rt, text).length
  if (missing <= 0) return text
  rt.text(text.length + missing)
  const sign = /^[+-]/.exec(text)?.[0] ?? ''
  return sign + '0'.repeat(missing) + text.slice(sign.length)
}

const expandTabs: Body = (rt, [self, size]) => {
  const text = textOf(rt, self, 'self')
  const width = size === undefined ? 8 : Math.max(0, count(rt, size))
  rt.text(text.length + text.split('\t').length * Math.min(width, 1_000_000))
  let column = 0
  return Array.from(text, (char) => {
    if (char === '\n' || char === '\r') column = 0
    else if (char === '\t') {
      const gap = width === 0 ? 0 : width - (column % width)
      column += gap
      return ' '.repeat(gap)
    } else column += 1
    return char
  }).join('')
}

const translate: Body = (rt, [self, table]) => {
  const text = textOf(rt, self, 'self')
  if (!(table instanceof Dict)) throw fault(rt, 'TypeError', 'translate() needs a table of str.maketrans()')
  rt.work(text.length)
  const made = Array.from(text, (char) => {
    const entry = table.entries.get(`n${char.codePointAt(0)!}`)
    if (!entry) return char
    if (entry.value === null) return ''
    return typeof entry.value === 'bigint' ? String.fromCodePoint(Number(entry.value)) : textIn(entry.value)
  }).join('')
  rt.text(made.length)
  return made
}

const makeTable: Body = (rt, [from, to, dropped]) => {
  const made = new Dict()
  const put = (code: bigint, value: Value): void => {
    made.entries.set(`n${code}`, { key: code, value })
  }
  if (from instanceof Dict)
    for (const { key, value } of from.entries.values())
      put(typeof key === 'string' ? BigInt(key.codePointAt(0)!) : integer(rt, key), value)
  else {
    const [a, b] = [
      Array.from(textOf(rt, from, 'the first argument')),
      Array.from(textOf(rt, to, 'the second argument')),
    ]
    if (a.length !== b.length) throw fault(rt, 'ValueError', 'the first two maketrans arguments must have equal length')
    a.forEach((char, i) => put(BigInt(char.codePointAt(0)!), BigInt(b[i]!.codePointAt(0)!)))
    for (const char of dropped === undefined ? '' : textOf(rt, dropped, 'the third argument'))
      put(BigInt(char.codePointAt(0)!), null)
  }
  rt.make(made.entries.size)
  return made
}

const METHODS: readonly (readonly [string, string, Body])[] = [
  ['upper', '', mapping((text) => text.toUpperCase())],
  ['lower', '', mapping((text) => text.toLowerCase())],
  ['casefold', '', mapping((text) => text.toLowerCase().replaceAll('ß', 'ss'))],
  ['title', '', mapping(title)],
  [
    'capitalize',
    '',
    mapping((text) => {
      const [first = '', ...rest] = text
      return first.toUpperCase() + rest.join('').toLowerCase()
    }),
  ],
  [
    'swapcase',
    '',
    mapping((text) =>
      Array.from(text, (char) => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase())).join(''),
    ),
  ],
  ['strip', 'chars?', stripping(true, true)],
  ['lstrip', 'chars?', stripping(true, false)],
  ['rstrip', 'chars?', stripping(false, true)],
  ['find', 'sub start? end?', finding(false, false)],
  ['rfind', 'sub start? end?', finding(true, false)],
  ['index', 'sub start? end?', finding(false, true)],
  ['rindex', 'sub start? end?', finding(true, true)],
  ['count', 'sub start? end?', counting],
  ['startswith', 'prefix start? end?', affix(false)],
  ['endswith', 'suffix start? end?', affix(true)],
  ['split', 'sep? maxsplit?', split(false)],
  ['rsplit', 'sep? maxsplit?', split(true)],
  ['splitlines', 'keepends?', splitLines],
  ['partition', 'sep', partition(false)],
  ['rpartition', 'sep', partition(true)],
  ['join', 'iterable', join],
  ['replace', 'old new count?', replace],
  [
    'removeprefix',
    'prefix',
    (rt, [self, part]) => {
      const [text, prefix] = [textOf(rt, self, 'self'), textOf(rt, part, 'prefix')]
      return text.startsWith(prefix) ? text.slice(prefix.length) : text
    },
  ],
  [
    'removesuffix',
    'suffix',
    (rt, [self, part]) => {
      const [text, suffix] = [textOf(rt, self, 'self'), textOf(rt, part, 'suffix')]
      return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
    },
  ],
  ['ljust', 'width fillchar?', padding(() => 0)],
  ['rjust', 'width fillchar?', padding((missing) => missing)],
  ['zfill', 'width', zeroFill],
  ['expandtabs', 'tabsize?', expandTabs],
  ['translate', 'table', translate],
  ['isdigit', '', testing((text) => /^[\p{Nd}\u00b2\u00b3\u00b9\u2070-\u2089]+$/u.test(text))],
  ['isdecimal', '', testing((text) => /^\p{Nd}+$/u.test(text))],
  ['isnumeric', '', testing((text) => /^\p{N}+$/u.test(text))],
  ['isalpha', '', testing((text) => /^\p{L}+$/u.test(text))],
  ['isalnum', '', testing((text) => /^[\p{L}\p{N}]+$/u.test(text))],
  ['isspace', '', testing((text) => /^[\s\u0085]+$/u.test(text))],
  ['isupper', '', testing((text) => isCased(text) && text === text.toUpperCase())],
  ['islower', '', testing((text) => isCased(text) && text === text.toLowerCase())],
  ['istitle', '', testing((text) => isCased(text) && text === title(text))],
  ['isidentifier', '', testing((text) => /^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(text))],
  ['isascii', '', testing((text) => /^\p{ASCII}*$/u.test(text))],
  ['isprintable', '', testing((text) => !/(?! )[\p{C}\p{Z}]/u.test(text))],
]

for (const [name, parameters, body] of METHODS)
  TYPES.str.attributes.set(name, native(`str.${name}`, `self ${parameters}`, body))

TYPES.str.attributes.set(
  'center',
  native('center', 'self width fillchar?', (rt, [self, width, fill]) => {
    const [text, missing, char] = paddedTo(rt, textOf(rt, self, 'self'), width, fill)
    // Where the room is odd, the larger half depends on the width, as in CPython.
    const before = Math.floor(missing / 2) + (missing & (charsOf(rt, text).length + missing) & 1)
    return char.repeat(before) + text + char.repeat(missing - before)
  }),
)
TYPES.str.attributes.set(
  'format',
  new Native('format', (rt, [self = '', ...args], named) => templateFormat(rt, textOf(rt, self, 'self'), args, named)),
)
TYPES.str.attributes.set(
  'format_map',
  native('format_map', 'self mapping', (rt, [self, mapping_]) => {
    if (!(mapping_ instanceof Dict)) throw fault(rt, 'TypeError', 'format_map() needs a dict')
    const named = new Map([...mapping_.entries.values()].map(({ key, value }) => [textIn(key), value]))
    return templateFormat(rt, textOf(rt, self, 'self'), [], named)
  }),
)
TYPES.str.attributes.set('maketrans', new Wrapped('staticmethod', native('maketrans', 'x y? z?', makeTable)))
TYPES.str.attributes.set(
  'encode',
  native('encode', 'self encoding? errors?', (rt) => {
    throw fault(rt, 'NotImplementedError', 'bytes are not supported')
  }),
)
