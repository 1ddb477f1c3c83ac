/** The built-in suites. To add one, add a folder and a line here; a suite is loaded when it is first used. */
import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { AnySuite } from '../engine/suite.ts'

const suites: Readonly<Record<string, () => Promise<AnySuite>>> = {
  'articulate/place': async () => (await import('./articulate/suite.ts')).articulatePlace,
  'articulate/joint': async () => (await import('./articulate/suite.ts')).articulateJoint,
  'articulate/build': async () => (await import('./articulate/suite.ts')).articulateBuild,
  'articulate/retrieve': async () => (await import('./articulate/suite-retrieve.ts')).articulateRetrieve,
  'articulate/critic': async () => (await import('./articulate/suite.ts')).articulateCritic,
  'space/text': async () => (await import('./space/suite.ts')).spaceText,
  'space/vision': async () => (await import('./space/suite-vision.ts')).spaceVision,
  'vsi/explore': async () => (await import('./vsi/suite.ts')).vsiExplore,
  'vsi/video': async () => (await import('./vsi/suite.ts')).vsiVideo,
  'vsi/blind': async () => (await import('./vsi/suite.ts')).vsiBlind,
  vbench: async () => (await import('./vbench/suite.ts')).vbench,
  vsig: async () => (await import('./vsig/suite.ts')).vsig,
}

export function suiteNames(): string[] {
  return Object.keys(suites)
}

/** A built-in suite, by name. */
export async function builtinSuite(name: string): Promise<AnySuite> {
  const load = Object.hasOwn(suites, name) ? suites[name] : undefined
  if (load) return load()
  throw new UserError(`Unknown suite "${name}".`, { hint: didYouMean(name, suiteNames(), 'Suites') })
}
