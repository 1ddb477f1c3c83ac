/** `'%.2f' % value` and `'{:.2f}'.format(value)`. */
import { fault } from './errors.ts'
import { formatNumber } from './format.ts'
import { count, numOf, real } from './numbers.ts'
import { format, getAttribute, getItem, repr, str, typeName } from './protocol.ts'
import { truncated } from './arithmetic.ts'
import type { Runtime } from './runtime.ts'
import { Dict, type Named, Tuple, type Value } from './value.ts'
import { textRepr } from './text.ts'

const PERCENT = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([\s\S])?/g

export function percentFormat(rt: Runtime, template: string, given: Value): string {
  rt.work(template.length / 8)
  const values = given instanceof Tuple ? given.items : [given]
  let at = 0
  let isMapping = false
  const next = (): Value => {
    const value = values[at]
    at += 1
    if (value === undefined) throw fault(rt, 'TypeError', 'not enough arguments for format string')
    return value
  }
  const pieces: string[] = []
  let end = 0
  let total = 0
  const push = (piece: string): void => {
    total += piece.length
    rt.text(total)
    pieces.push(piece)
  }
  for (const match of template.matchAll(PERCENT)) {
    rt.work()
    push(template.slice(end, match.index))
    end = match.index + match[0].length
    const [whole, key, flags = '', width, precision, kind] = match
    if (kind === undefined) throw fault(rt, 'ValueError', 'incomplete format')
    if (kind === '%') {
      push('%')
      continue
    }
    const size = width === '*' ? count(rt, next()) : Number(width ?? 0)
    const places = !whole.includes('.') ? null : precision === '*' ? count(rt, next()) : Number(precision ?? 0)
    let value: Value
    if (key === undefined) value = next()
    else {
      if (!(given instanceof Dict)) throw fault(rt, 'TypeError', 'format requires a mapping')
      isMapping = true
      value = getItem(rt, given, key)
    }
    push(one(rt, value, { kind, flags, width: Math.abs(size), isLeft: flags.includes('-') || size < 0, places }))
  }
  if (at < values.length && !isMapping && !(given instanceof Dict))
    throw fault(rt, 'TypeError', 'not all arguments converted during string formatting')
  push(template.slice(end))
  return pieces.join('')
}

interface Field {
  kind: string
  flags: string
  width: number
  isLeft: boolean
  places: number | null
}

function one(rt: Runtime, value: Value, { kind, flags, width, isLeft, places }: Field): string {
  rt.text(width)
  const align = isLeft ? '<' : flags.includes('0') && !'srac'.includes(kind) ? '' : '>'
  const sign = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const zero = align === '' ? '0' : ''
  const alternate = flags.includes('#') ? '#' : ''
  const spec = (precision: string, type: string): string =>
    `${align}${sign}${alternate}${zero}${width === 0 ? '' : width}${precision}${type}`
  switch (kind) {
    case 's':
    case 'r':
    case 'a': {
      const text = kind === 's' ? str(rt, value) : repr(rt, value)
      const cut = places === null ? text : text.slice(0, places)
      return isLeft ? cut.padEnd(width) : cut.padStart(width)
    }
    case 'c': {
      const text = typeof value === 'string' ? value : String.fromCodePoint(Number(numOf(value) ?? 0))
      return isLeft ? text.padEnd(width) : text.padStart(width)
    }
    case 'd':
    case 'i':
    case 'u': {
      const number = numOf(value)
      if (number === null)
        throw fault(rt, 'TypeError', `%${kind} format: a real number is required, not ${typeName(value)}`)
      const whole = typeof number === 'number' ? truncated(rt, number) : number
      if (places === null) return formatNumber(rt, whole, spec('', 'd'))
      const size = zero === '' || isLeft ? places : Math.max(places, width - (whole < 0n || sign !== '' ? 1 : 0))
      const digits = formatNumber(rt, whole, `${sign}d`).replace(/\d+/, (text) => text.padStart(size, '0'))
      return isLeft ? digits.padEnd(width) : digits.padStart(width)
    }
    case 'x':
    case 'X':
    case 'o': {
      const number = numOf(value)
      if (typeof number !== 'bigint')
        throw fault(rt, 'TypeError', `%${kind} format: an integer is required, not ${typeName(value)}`)
      return formatNumber(rt, number, spec('', kind))
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': {
      return formatNumber(rt, real(rt, value), spec(`.${places ?? 6}`, kind))
    }
    default:
      throw fault(rt, 'ValueError', `unsupported format character '${kind}' (0x${kind.codePointAt(0)!.toString(16)})`)
  }
}

/** `template.format(*args, **named)` */
export function templateFormat(rt: Runtime, template: string, args: readonly Value[], named: Named): string {
  let automatic = 0
  let numbering: 'automatic' | 'manual' | null = null
  const number = (how: 'automatic' | 'manual'): void => {
    if (numbering !== null && numbering !== how)
      throw fault(
        rt,
        'ValueError',
        how === 'manual'
          ? 'cannot switch from automatic field numbering to manual field specification'
          : 'cannot switch from manual field specification to automatic field numbering',
      )
    numbering = how
  }
  const valueOf = (field: string): Value => {
    const [, name = '', path = ''] = /^([^.[]*)([\s\S]*)$/.exec(field)!
    let value: Value | undefined
    if (name === '' || /^\d+$/.test(name)) {
      number(name === '' ? 'automatic' : 'manual')
      const place = name === '' ? automatic++ : Number(name)
      value = args[place]
      if (value === undefined)
        throw fault(rt, 'IndexError', `Replacement index ${place} out of range for positional args tuple`)
    } else {
      value = named.get(name)
      if (value === undefined) throw fault(rt, 'KeyError', name)
    }
    for (const [, attribute, key] of path.matchAll(/\.([^.[]+)|\[([^\]]+)\]/g))
      value =
        attribute === undefined
          ? getItem(rt, value, /^\d+$/.test(key!) ? BigInt(key!) : key!)
          : getAttribute(rt, value, attribute)
    return value
  }
  const filled = (text: string, depth: number): string => {
    if (depth > 2) throw fault(rt, 'ValueError', 'Max string recursion exceeded')
    rt.work(text.length / 8)
    let made = ''
    for (let i = 0; i < text.length; i++) {
      const char = text[i]!
      if ((char === '{' || char === '}') && text[i + 1] === char) {
        made += char
        i += 1
      } else if (char === '}') throw fault(rt, 'ValueError', "Single '}' encountered in format string")
      else if (char === '{') {
        const close = closing(rt, text, i)
        const [, field = '', conversion, spec = ''] = /^([^!:]*)(?:!([^:]*))?(?::([\s\S]*))?$/.exec(
          text.slice(i + 1, close),
        )!
        made += converted(rt, valueOf(field), conversion, filled(spec, depth + 1))
        i = close
      } else made += char
      if (made.length % 64 === 0) rt.text(made.length)
    }
    rt.text(made.length)
    return made
  }
  return filled(template, 0)
}

export function converted(rt: Runtime, value: Value, conversion: string | undefined, spec: string): string {
  switch (conversion) {
    case undefined:
    case '':
      return format(rt, value, spec)
    case 'r':
      return format(rt, repr(rt, value), spec)
    case 'a':
      return format(rt, typeof value === 'string' ? textRepr(value) : repr(rt, value), spec)
    case 's':
      return format(rt, str(rt, value), spec)
    default:
      throw fault(rt, 'ValueError', `Unknown conversion specifier '${conversion}'`)
  }
}

function closing(rt: Runtime, text: string, from: number): number {
  let depth = 0
  for (let i = from; i < text.length; i++) {
    if (text[i] === '{') depth += 1
    if (text[i] === '}') depth -= 1
    if (depth === 0) return i
  }
  throw fault(rt, 'ValueError', "expected '}' before end of string")
}
