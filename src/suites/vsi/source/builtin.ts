/** Built-in scenes with questions of all ten types: from a seed, the same on every machine. */
import { UserError } from '../../../base/errors.ts'
import { Recent } from '../../../base/recent.ts'
import type { OpenedSource, SourceContext, SourceKind, SourceSpec } from '../../../engine/suite.ts'
import type { Look, VsiSample } from '../case.ts'
import { typesOf, type VsiOptions } from '../options.ts'
import { beside } from '../scene/beside.ts'
import { QUESTION_TYPES, type Way } from '../types.ts'
import { GENERATOR } from './builtin-questions.ts'

const SCENES = 200
const PER_SCENE = QUESTION_TYPES.length

export function builtinSource<Options extends VsiOptions>(way: Way): SourceKind<Options, VsiSample> {
  return {
    title: 'furnished rooms from a seed, with truth from geometry',
    usage: 'builtin:seed=7,scenes=200,look=lit',
    open: (spec, options, run) => Promise.resolve(openBuiltin(way, spec, options, run)),
  }
}

function openBuiltin(
  way: Way,
  { path, args }: SourceSpec,
  options: VsiOptions,
  run: SourceContext,
): OpenedSource<VsiSample> {
  const known = new Set(['seed', 'scenes', 'look'])
  const strange = Object.keys(args).find((key) => !known.has(key))
  if (path !== null || strange !== undefined) {
    throw new UserError(`builtin does not know "${strange ?? path}".`, {
      hint: 'Write builtin:seed=7,scenes=200,look=lit.',
    })
  }
  const seed = wholeNumber('seed', args['seed'] ?? String(run.seed), 0)
  const scenes = wholeNumber('scenes', args['scenes'] ?? String(SCENES), 1)
  const look = args['look'] ?? 'lit'
  if (look !== 'lit' && look !== 'plain') throw new UserError(`look is lit or plain, not "${look}".`)
  const types = new Set(typesOf(options).filter((type) => way !== 'explore' || type !== 'obj_appearance_order'))
  const all = options.types.trim() === 'all'
  return {
    fingerprint: `${GENERATOR}/${seed}/${scenes}/${look}/${options.types}`,
    count: all ? scenes * (way === 'explore' ? PER_SCENE - 1 : PER_SCENE) : null,
    async *cases() {
      for (let index = 0; index < scenes; index++) {
        for (const [slot, sample] of (await casesOfScene(seed, index, look)).entries()) {
          // The place of the order stays empty when there is no video, so that all ways ask the same of the others.
          if (way === 'explore' && QUESTION_TYPES[slot] === 'obj_appearance_order') continue
          if (types.has(sample.type)) yield sample
        }
      }
    },
  }
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least)
    throw new UserError(`builtin: ${name} must be a whole number from ${least}, not "${text}".`)
  return value
}

/** Questions that were made before: a run counts its cases first, and several suites ask the same ones. */
const made = new Recent<Promise<readonly VsiSample[]>>(2000)

/** The ten questions of a scene. */
export function casesOfScene(seed: number, index: number, look: Look): Promise<readonly VsiSample[]> {
  return made.of(`${seed}/${index}/${look}`, () => beside('questions', { seed, index, look }))
}
