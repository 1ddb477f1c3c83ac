/** Ends the reading of a file of others with an error, where running out of memory would end the process. */
import { getHeapStatistics, type HeapInfo } from 'node:v8'
import { UserError } from '../errors.ts'

/** What is read and computed between two checks takes less. */
const RESERVED_BYTES = 768 << 20
const MEGABYTE = 2 ** 20

/** Call it for every few megabytes of the file: throws a `UserError` when little memory is left. */
export function checkHeap(
  path: string,
  { used_heap_size, heap_size_limit }: Pick<HeapInfo, 'used_heap_size' | 'heap_size_limit'> = getHeapStatistics(),
): void {
  if (used_heap_size < Math.max(heap_size_limit - RESERVED_BYTES, heap_size_limit / 2)) return
  const limit = Math.round(heap_size_limit / MEGABYTE)
  throw new UserError(`${path} needs more memory than this process may use (${limit} MB).`, {
    hint: `If you trust the file, allow more: NODE_OPTIONS=--max-old-space-size=${limit * 2}`,
  })
}
