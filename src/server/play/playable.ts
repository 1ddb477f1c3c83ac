/** Which suites a human can play in the browser, and on which samples. */
import { UserError } from '../../base/errors.ts'
import { fetchedFolder } from '../../datasets/folder.ts'
import { defaultSource } from '../../engine/source.ts'
import type { AnySuite } from '../../engine/suite.ts'
import type { PlayLanguage, PlayRequest } from '../api.ts'

/** Suites whose built-in samples contain speech, with the languages to choose from. The first is the default. */
export const LANGUAGES: ReadonlyMap<string, readonly PlayLanguage[]> = new Map([['vsig', ['en', 'zh', 'both']]])

/** Every suite that is answered in text: with controls of its own, or with a text field. */
export function isPlayable({ output }: Pick<AnySuite, 'output'>): boolean {
  return output === 'text'
}

/** Whether the samples that are played by default are on this machine. */
export function hasData(suite: AnySuite): boolean {
  const dataset = suite.sources[defaultSource(suite)]?.dataset
  return dataset === undefined || fetchedFolder(dataset.name) !== null
}

/** The default source with the chosen seed and language. */
export function playSource(suite: AnySuite, { seed, language }: Pick<PlayRequest, 'seed' | 'language'>): string {
  const source = defaultSource(suite)
  const args = Object.keys(suite.sources[source]?.args.shape ?? {}).includes('seed') ? [`seed=${seed}`] : []
  if (language !== undefined) {
    if (!LANGUAGES.get(suite.name)?.includes(language))
      throw new UserError(`${suite.name} does not support language "${language}".`)
    args.push(`language=${language}`)
  }
  return args.length === 0 ? source : `${source}:${args.join(',')}`
}
