/** Which suites a human can play in the browser, and on which samples. */
import { UserError } from '../../base/errors.ts'
import { defaultSource } from '../../engine/source.ts'
import type { AnySuite } from '../../engine/suite.ts'
import type { PlayLanguage, PlayRequest } from '../api.ts'

/** Built-in suites with dedicated play controls. External suites use a text field. */
const WITH_CONTROLS: ReadonlySet<string> = new Set(['vsi/explore', 'vsi/video', 'space/text', 'space/vision', 'vsig'])

/** Suites whose built-in samples contain speech, with the languages to choose from. The first is the default. */
export const LANGUAGES: ReadonlyMap<string, readonly PlayLanguage[]> = new Map([['vsig', ['en', 'zh', 'both']]])

/** @param isExternal the suite is not built in */
export function isPlayable({ name, output }: AnySuite, isExternal: boolean): boolean {
  return isExternal ? output === 'text' : WITH_CONTROLS.has(name)
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
