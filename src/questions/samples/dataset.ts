/** The dataset that a suite's file names: what `sightline data get` fetches, and which of its files are tables. */
import type { Dataset } from '../../suite.ts'
import type { QuestionsFile } from '../domain/format.ts'

/**
 * Where the tables of a split may be, as Hugging Face names them, the first that exists. Datasets that were written with
 * `push_to_hub` have them in the folder of their configuration, or in `data`.
 */
export function splitFiles({ config, split }: NonNullable<QuestionsFile['data']['hub']>): string[] {
  const folders =
    config === undefined ? ['data/', '', 'default/'] : [`${config}/`, `data/${config}/`, `data/${config}-`]
  const ofSplit = folders.flatMap((folder) =>
    ['-*.parquet', '.parquet', '.jsonl', '.json', '.csv', '.tsv'].map((ending) => `${folder}${split}${ending}`),
  )
  return config === undefined ? ofSplit : [...ofSplit, `${config}.parquet`, `${config}-*.parquet`]
}

/**
 * Parquet tables contain their images; rows of others, and videos, are named by path and come with everything else.
 */
export function datasetOf(file: QuestionsFile): { dataset?: Dataset } {
  const { data, license, homepage } = file
  const known = { name: data.name ?? file.name, ...(license !== undefined && { license }) }
  if (data.hub === undefined) {
    if (data.get === undefined || homepage === undefined) return {}
    return { dataset: { ...known, from: { page: homepage, steps: data.get } } }
  }
  const { dataset: hub, revision, files } = data.hub
  const wanted = files ?? (isWhole(file) ? [data.files ?? splitFiles(data.hub)].flat() : undefined)
  return {
    dataset: {
      ...known,
      from: { hub, ...(revision !== undefined && { revision }) },
      ...(wanted !== undefined && { files: wanted }),
      ...((files !== undefined || wanted === undefined) && { unpack: ['**/*.zip'] }),
    },
  }
}

/** Whether the tables hold all that is asked about. */
function isWhole({ data, columns }: QuestionsFile): boolean {
  const tables = [data.files ?? []].flat()
  const isParquet = tables.every((table) => table.endsWith('.parquet'))
  const isByPath = [columns.images ?? []].flat().some((image) => image.includes('{'))
  return (
    isParquet && columns.video === undefined && columns.sound === undefined && data.paths === undefined && !isByPath
  )
}
