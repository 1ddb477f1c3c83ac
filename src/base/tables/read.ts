/** Reads Parquet and Excel files of others, in a process with limits. */
import { tableProcess } from './process.ts'

/** The rows of a Parquet file, by column name. `name` is for messages. */
export function readParquet(bytes: Uint8Array, name: string): Promise<Record<string, unknown>[]> {
  const unreadable = { message: `${name} cannot be read as Parquet`, hint: 'Download it again.' }
  return tableProcess.read(['parquet', bytes], bytes.length, unreadable)
}

/** The rows of the first sheet of an Excel file. `name` is for messages. */
export function readXlsx(bytes: Uint8Array, name: string): Promise<unknown[][]> {
  return tableProcess.read(['xlsx', bytes], bytes.length, unreadableSheet(name))
}

export function unreadableSheet(name: string): { message: string; hint: string } {
  return { message: `${name} is not a readable Excel sheet`, hint: 'Save it as .tsv and use that.' }
}
