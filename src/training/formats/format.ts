/** The file formats of training data. A file is a function of its examples: no clock, no order of threads. */
import type { Example } from './example.ts'
import type { DataFormat } from './names.ts'
import { parquet } from './parquet.ts'
import { shareGpt } from './sharegpt.ts'
import { webDataset } from './webdataset.ts'

export interface FormatOf {
  /** Name of a file, by its number of five digits. */
  file(number: string): string
  /** All files, as a pattern for the data card. */
  pattern: string
  /** Pictures are files of their own, in `images/`; otherwise they are in every example that shows them. */
  hasImageFiles: boolean
  encode(examples: readonly Example[], media: ReadonlyMap<string, Uint8Array>): Uint8Array | Promise<Uint8Array>
}

export const FORMATS: Readonly<Record<DataFormat, FormatOf>> = { sharegpt: shareGpt, parquet, webdataset: webDataset }
