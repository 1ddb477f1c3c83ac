/** Which suites a person can play in the browser, and on which samples. */
import { UserError } from '../../base/errors.ts'
import { defaultSource } from '../../engine/source.ts'
import type { AnySuite } from '../../engine/suite.ts'
import type { PlayLanguage, PlayRequest } from '../api.ts'

/** Suites of ours whose pages have controls for people. Suites of others are answered in a text field. */
const WITH_CONTROLS: ReadonlySet<string> = new Set(['vsi/explore', 'vsi/video', 'space/text', 'space/vision', 'vsig'])

/** Suites in whose built-in samples somebody speaks: which language is the player's choice. The first is the page's own. */
export const LANGUAGES: ReadonlyMap<string, readonly PlayLanguage[]> = new Map([['vsig', ['en', 'zh', 'both']]])

/** @param isGuest it is not one of ours */
export function isPlayable({ name, output }: AnySuite, isGuest: boolean): boolean {
  return isGuest ? output === 'text' : WITH_CONTROLS.has(name)
}

/** The default source, from the seed that was chosen where it has one. */
export function playedSource(suite: AnySuite, { seed, language }: Pick<PlayRequest, 'seed' | 'language'>): string {
  const source = defaultSource(suite)
  const args = Object.keys(suite.sources[source]?.args.shape ?? {}).includes('seed') ? [`seed=${seed}`] : []
  if (language !== undefined) {
    if (!LANGUAGES.get(suite.name)?.includes(language)) throw new UserError(`${suite.name} has no language to choose.`)
    args.push(`language=${language}`)
  }
  return args.length === 0 ? source : `${source}:${args.join(',')}`
}
