import type { Compressors } from 'hyparquet'

export const MAX_ROWS = 10_000_000
/** Unpacked bytes of a whole file, and of one page. */
const MAX_BYTES = 512 * 2 ** 20

/** Checks every size that the file declares before anything of that size is allocated. */
export async function parquetRows(bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  const { parquetMetadata, parquetReadObjects } = await import('hyparquet')
  const file = new Uint8Array(bytes).buffer
  const metadata = parquetMetadata(file)
  if (metadata.num_rows < 0 || metadata.num_rows > MAX_ROWS) throw new Error(`it declares ${metadata.num_rows} rows`)
  let unpacked = 0
  for (const { columns } of metadata.row_groups) {
    for (const { meta_data: column } of columns) unpacked += Math.abs(Number(column?.total_uncompressed_size ?? 0))
  }
  if (!(unpacked <= MAX_BYTES)) throw new Error(`it declares ${unpacked} bytes`)
  return parquetReadObjects({ file, metadata, compressors: await boundedCompressors(MAX_BYTES) })
}

/** Checks the declared size of a page before it is unpacked. */
export async function boundedCompressors(maxBytes: number): Promise<Compressors> {
  const { compressors } = await import('hyparquet-compressors')
  return Object.fromEntries(
    Object.entries(compressors).map(([name, unpack]) => [
      name,
      (input: Uint8Array, length: number) => {
        if (!(length >= 0 && length <= maxBytes)) throw new Error(`a page declares ${length} bytes`)
        return unpack(input, length)
      },
    ]),
  )
}
