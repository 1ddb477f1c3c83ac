/** HTTP range requests, as video players send them. */

/** `to` is exclusive. */
export interface ByteRange {
  from: number
  to: number
}

/**
 * Parses a `Range` header. Multiple ranges, other units and malformed headers return `null`: the server sends the whole
 * file, as the standard allows.
 *
 * @example
 * partOf('bytes=0-99', 1000) // { from: 0, to: 100 }
 * partOf('bytes=-5', 1000) // { from: 995, to: 1000 }
 */
export function parseRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | null {
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
