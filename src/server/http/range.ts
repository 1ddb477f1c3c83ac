/** One part of a file, as a video player asks for it. */

/** From a byte up to, and not including, another. */
export interface Part {
  from: number
  to: number
}

/**
 * Reads a `Range` header. Several ranges, other units and nonsense are answered with the whole file, as the standard
 * allows; `null` stands for it.
 *
 * @example
 * partOf('bytes=0-99', 1000) // { from: 0, to: 100 }
 * partOf('bytes=-5', 1000) // { from: 995, to: 1000 }
 */
export function partOf(header: string | null, size: number): Part | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return null
  if (from >= size) return 'unsatisfiable'
  return { from, to: last === '' ? size : Math.min(Number(last) + 1, size) }
}
