/** Published datasets that the sources of suites read. */
import { didYouMean } from '../base/nearest.ts'
import { UserError } from '../base/errors.ts'
import type { Dataset } from '../datasets/dataset.ts'
import { LOOKS_LIKE_A_FILE, type SuiteFinder } from './suites.ts'

export interface KnownDataset {
  dataset: Dataset
  /** Suites that read it, with the name of their source. */
  readers: { suite: string; source: string }[]
}

/** The datasets of all suites, by name. */
export async function knownDatasets(finder: SuiteFinder): Promise<Map<string, KnownDataset>> {
  const known = new Map<string, KnownDataset>()
  for (const name of await finder.names()) {
    const { suite } = await finder.find(name)
    for (const [source, { dataset }] of Object.entries(suite.sources)) {
      if (dataset === undefined) continue
      const entry = known.get(dataset.name) ?? { dataset, readers: [] }
      entry.readers.push({ suite: suite.name, source })
      known.set(dataset.name, entry)
    }
  }
  return known
}

async function datasetOfSuite(finder: SuiteFinder, file: string): Promise<KnownDataset> {
  const { suite } = await finder.find(file)
  const [found] = Object.entries(suite.sources).flatMap(([source, { dataset }]) =>
    dataset === undefined ? [] : [{ dataset, readers: [{ suite: file, source }] }],
  )
  if (found) return found
  throw new UserError(`${file} names no dataset.`, { hint: 'Name one on the Hugging Face Hub with data.hub.' })
}

const HUB_NAME = /^[\w.-]{1,96}\/[\w.-]{1,96}$/

/** A dataset by its name, or any repository of the Hugging Face Hub by `owner/name`. */
export async function findDataset(finder: SuiteFinder, name: string): Promise<KnownDataset> {
  if (LOOKS_LIKE_A_FILE.test(name)) return datasetOfSuite(finder, name)
  const known = await knownDatasets(finder)
  const found = known.get(name)
  if (found !== undefined) return found
  if (HUB_NAME.test(name) && !name.includes('..'))
    return { dataset: { name: name.replace('/', '--'), from: { hub: name } }, readers: [] }
  throw new UserError(`Unknown dataset "${name}".`, {
    hint: `${didYouMean(name, [...known.keys()], 'Datasets')} Any repository of the Hugging Face Hub: OWNER/NAME.`,
  })
}
