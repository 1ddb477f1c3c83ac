/** What stands behind a point: methods of texts, lists, dictionaries and robots. */
import { itemsOf } from './items.ts'
import type { Meter } from './meter.ts'
import { binary } from './operators.ts'
import { LIMITS, ProgramError } from './problem.ts'
import { ROBOT_METHODS, robotMethod } from './robot.ts'
import { areEqual, Callable, Dictionary, Sequence, textOf, Thing, typeOf, type Value } from './values.ts'

type Method = (args: readonly Value[], line: number) => Value

export function attributeOf(value: Value, name: string, line: number, meter: Meter): Value {
  const method = methodOf(value, name, meter)
  if (method) return new Callable(name, ({ positional }, at) => method(positional, at))
  if (value instanceof Thing) {
    if (value.assembly) {
      const own = robotMethod(value.assembly, name)
      if (own) return own
      if (name === 'name') return value.assembly.name
      throw new ProgramError(line, `a robot has no "${name}"; it has ${ROBOT_METHODS.join(', ')}`)
    }
    const field = value.fields.get(name)
    if (field !== undefined) return field
  }
  throw new ProgramError(line, `${typeOf(value)} has no "${name}"`)
}

function methodOf(value: Value, name: string, meter: Meter): Method | null {
  const methods =
    typeof value === 'string'
      ? textMethods(value, meter)
      : value instanceof Sequence
        ? listMethods(value, meter)
        : value instanceof Dictionary
          ? dictMethods(value, meter)
          : null
  return methods && Object.hasOwn(methods, name) ? methods[name]! : null
}

function tuple(...items: Value[]): Sequence {
  return new Sequence('tuple', items)
}

function textMethods(text: string, meter: Meter): Record<string, Method> {
  const needed = (value: Value | undefined, line: number): string => {
    if (typeof value === 'string') return value
    throw new ProgramError(line, 'a text was expected')
  }
  const made = (result: string): string => {
    meter.make(result.length, true)
    return result
  }
  return {
    lower: () => made(text.toLowerCase()),
    upper: () => made(text.toUpperCase()),
    strip: () => made(text.trim()),
    startswith: ([other], line) => text.startsWith(needed(other, line)),
    endswith: ([other], line) => text.endsWith(needed(other, line)),
    replace: ([from, to], line) => {
      const [a, b] = [needed(from, line), needed(to, line)]
      const count = a === '' ? text.length + 1 : text.split(a).length - 1
      meter.make(text.length + count * b.length, true)
      return text.replaceAll(a, () => b)
    },
    split: ([by], line) => {
      const parts = by === undefined ? text.trim().split(/\s+/) : text.split(needed(by, line) || ' ')
      meter.make(parts.length)
      return new Sequence('list', parts)
    },
    join: ([items = null], line) => {
      const parts = itemsOf(items, line).map((item) => needed(item, line))
      meter.make(
        parts.reduce((sum, part) => sum + part.length + text.length, 0),
        true,
      )
      return parts.join(text)
    },
    format: (args) => {
      let at = 0
      let length = text.length
      return made(
        text.replace(/\{(\d*)\}/g, (_, index: string) => {
          const piece = textOf(args[index === '' ? at++ : Number(index)] ?? null)
          length += piece.length
          // Before the whole is made, not after.
          if (length > LIMITS.text) meter.make(length, true)
          return piece
        }),
      )
    },
  }
}

function listMethods(list: Sequence, meter: Meter): Record<string, Method> {
  const { items, kind } = list
  const spend = (): void => meter.work(1)
  const reading: Record<string, Method> = {
    index: ([item = null], line) => {
      const at = items.findIndex((other) => areEqual(other, item, spend))
      if (at < 0) throw new ProgramError(line, `${textOf(item, 1)} is not in the list`)
      return at
    },
    count: ([item = null]) => items.filter((other) => areEqual(other, item, spend)).length,
    copy: () => {
      meter.make(items.length)
      return new Sequence(kind, [...items])
    },
    tolist: () => {
      meter.make(items.length)
      return new Sequence('list', [...items])
    },
  }
  if (kind === 'tuple') return reading
  if (kind === 'array')
    return {
      ...reading,
      sum: (_, line) => items.reduce<Value>((sum, item) => binary('+', sum, item, line, meter), 0),
      mean: (_, line) =>
        binary(
          '/',
          items.reduce<Value>((sum, item) => binary('+', sum, item, line, meter), 0),
          items.length,
          line,
          meter,
        ),
    }
  return {
    ...reading,
    append: ([item = null]) => {
      meter.make(1)
      if (items.length >= 1000) meter.make(items.length)
      items.push(item)
      return null
    },
    extend: ([more = null], line) => {
      const added = itemsOf(more, line)
      meter.make(items.length + added.length)
      items.push(...added)
      return null
    },
    insert: ([at = null, item = null], line) => {
      if (typeof at !== 'number') throw new ProgramError(line, 'insert() needs a place')
      meter.make(items.length + 1)
      items.splice(at, 0, item)
      return null
    },
    pop: ([at], line) => {
      const place = typeof at === 'number' ? (at < 0 ? at + items.length : at) : items.length - 1
      const [item] = items.splice(place, 1)
      if (item === undefined) throw new ProgramError(line, 'pop() from an empty list')
      return item
    },
    reverse: () => {
      items.reverse()
      return null
    },
  }
}

function dictMethods(dict: Dictionary, meter: Meter): Record<string, Method> {
  const list = (items: Value[]): Sequence => {
    meter.make(items.length)
    return new Sequence('list', items)
  }
  return {
    keys: () => list(dict.entries().map(({ key }) => key)),
    values: () => list(dict.entries().map(({ value }) => value)),
    items: () => list(dict.entries().map(({ key, value }) => tuple(key, value))),
    get: ([key = null, otherwise = null]) => dict.get(key) ?? otherwise,
    update: ([other = null], line) => {
      if (!(other instanceof Dictionary)) throw new ProgramError(line, 'update() needs a dict')
      meter.make(dict.size + other.size)
      for (const { key, value } of other.entries()) dict.set(key, value)
      return null
    },
  }
}
