/** Functions of ours: what they take, written as in `native('sorted', 'iterable *, key? reverse?', …)`. */
import { fault } from './errors.ts'
import type { Runtime } from './runtime.ts'
import { type Named, Native, type Value } from './value.ts'

interface Signature {
  name: string
  /** In order; what may be left out ends in `?`. */
  positional: readonly { name: string; isOptional: boolean }[]
  named: readonly string[]
  /** Whether any number of positional values is taken after the others. */
  hasRest: boolean
}

export type Body = (rt: Runtime, args: (Value | undefined)[], rest: readonly Value[]) => Value

function signatureOf(name: string, text: string): Signature {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  const star = words.findIndex((word) => word.startsWith('*'))
  const before = star < 0 ? words : words.slice(0, star)
  return {
    name,
    positional: before.map((word) => ({ name: word.replace('?', ''), isOptional: word.endsWith('?') })),
    named: star < 0 ? [] : words.slice(star + 1).map((word) => word.replace('?', '')),
    hasRest: star >= 0 && words[star]!.length > 1,
  }
}

export function native(name: string, parameters: string, body: Body): Native {
  const signature = signatureOf(name, parameters)
  return new Native(name, (rt, args, named) => {
    const { values, rest } = taken(rt, signature, args, named)
    return body(rt, values, rest)
  })
}

/** Natives by name: `[name, parameters, body]`. */
export function natives(
  ...list: readonly (readonly [name: string, parameters: string, body: Body])[]
): [string, Native][] {
  return list.map(([name, parameters, body]) => [name, native(name, parameters, body)])
}

function taken(
  rt: Runtime,
  { name, positional, named: keywords, hasRest }: Signature,
  args: readonly Value[],
  named: Named,
): { values: (Value | undefined)[]; rest: readonly Value[] } {
  const count = positional.length
  if (args.length > count && !hasRest) throw miscounted(rt, name, positional, args.length)
  const values: (Value | undefined)[] = positional.map((_, i) => args[i])
  for (const word of keywords) values.push(named.get(word))
  for (const [word, value] of named) {
    const at = positional.findIndex((parameter) => parameter.name === word)
    if (at < 0 && !keywords.includes(word))
      throw fault(rt, 'TypeError', `${name}() got an unexpected keyword argument '${word}'`)
    if (at >= 0) {
      if (at < args.length) throw fault(rt, 'TypeError', `${name}() got multiple values for argument '${word}'`)
      values[at] = value
    }
  }
  const missing = positional.find(({ isOptional }, i) => !isOptional && values[i] === undefined)
  if (missing) throw miscounted(rt, name, positional, args.length)
  return { values, rest: args.slice(count) }
}

/** In CPython's words. The value that a method belongs to is not counted. */
function miscounted(rt: Runtime, name: string, positional: Signature['positional'], given: number): Error {
  const own = positional[0]?.name === 'self' ? 1 : 0
  const most = positional.length - own
  const least = positional.filter(({ isOptional }) => !isOptional).length - own
  const count = given - own
  if (most === 0) return fault(rt, 'TypeError', `${name}() takes no arguments (${count} given)`)
  if (most === 1 && least === 1) return fault(rt, 'TypeError', `${name}() takes exactly one argument (${count} given)`)
  const short = name.split('.').at(-1)!
  const bound = least === most ? '' : count < least ? 'at least ' : 'at most '
  const wanted = count < least ? least : most
  return fault(rt, 'TypeError', `${short} expected ${bound}${wanted} argument${wanted === 1 ? '' : 's'}, got ${count}`)
}
