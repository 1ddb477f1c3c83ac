/** Objects drawn from a seed, and what is asked about them. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { Random } from '../../base/random.ts'
import type { CaseBase, SourceKind } from '../../engine/suite.ts'
import type { CriticCase, LoopCase, ObjectRef, Task } from './episode.ts'
import { type FaultKind, injectFault, JOINT_FAULTS, LINK_FAULTS } from './faults.ts'
import { CATEGORIES } from './objects/catalogue.ts'
import { modelOf } from './objects/find.ts'
import type { CriticOptions, LoopOptions } from './options.ts'

/** Raised whenever the same seed gives other objects or questions. */
const GENERATOR_VERSION = 1
const USAGE = 'builtin:seed=7,objects=36,categories=cabinet+door'

const builtinArguments = z.strictObject({
  seed: z.coerce.number().int().optional(),
  objects: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(CATEGORIES.length * 2),
  categories: z.string().optional(),
})

function builtin<Options, Case extends CaseBase>(
  title: string,
  casesOf: (object: ObjectRef, index: number, options: Options) => Case[],
): SourceKind<Options, Case> {
  return {
    title,
    usage: USAGE,
    open({ args, path }, options, run) {
      const parsed = builtinArguments.safeParse(args)
      if (path !== null || !parsed.success)
        throw new UserError(`The built-in objects are spelled ${USAGE}.`, { hint: 'All of it may be left out.' })
      const { objects, seed = run.seed, categories } = parsed.data
      const wanted = categories === undefined ? CATEGORIES : categories.split('+')
      const unknown = wanted.find((name) => !CATEGORIES.includes(name))
      if (unknown !== undefined)
        throw new UserError(`There is no category "${unknown}".`, { hint: `Categories: ${CATEGORIES.join(', ')}.` })
      const cases = function* (): Generator<Case> {
        for (let i = 0; i < objects; i++) {
          const category = wanted[i % wanted.length]!
          const round = Math.floor(i / wanted.length)
          yield* casesOf({ category, seed: seed * 100_000 + round }, i, options)
        }
      }
      return Promise.resolve({
        fingerprint: `articulate-${GENERATOR_VERSION}/seed=${seed}/objects=${objects}/${wanted.join('+')}`,
        count: null,
        cases,
      })
    },
  }
}

/** Place and build ask once an object, joint once for every part that moves. */
export function loopCases(task: Task): SourceKind<LoopOptions, LoopCase> {
  return builtin('objects drawn from a seed', (object) => {
    const { category } = object
    const model = modelOf(object)
    const movable = model.joints.filter(({ type }) => type !== 'fixed')
    const base = { cluster: model.id, object }
    if (task !== 'joint')
      return [
        { ...base, id: `${task}-${model.id}`, labels: { category, parts: String(model.parts.length) }, target: null },
      ]
    return movable.map(({ child, type }): LoopCase => ({
      ...base,
      id: `joint-${model.id}-${child}`,
      labels: { category, type },
      target: child,
    }))
  })
}

/** Two correct objects for every three faulty ones: a critic that always finds fault must not look good. */
const CLEAN_SHARE = 0.4

export const criticCases: SourceKind<CriticOptions, CriticCase> = builtin(
  'objects with one known fault, or none',
  (object, index, { critics }: CriticOptions) => {
    const model = modelOf(object)
    const asked = (['joint', 'link'] as const).filter((critic) => critics === 'both' || critics === critic)
    return asked.flatMap((critic): CriticCase[] => {
      const random = new Random(`articulate/fault/${GENERATOR_VERSION}/${critic}/${model.id}/${index}`)
      const kinds = (critic === 'joint' ? JOINT_FAULTS : LINK_FAULTS).filter((kind) => kind !== 'none')
      const drawn: FaultKind = random.chance(CLEAN_SHARE) ? 'none' : random.pick(kinds)
      const fault = injectFault(model, drawn, random) ?? injectFault(model, 'none', random)
      if (!fault) return []
      return [
        {
          id: `${critic}-${model.id}-${index}`,
          cluster: model.id,
          labels: {
            category: object.category,
            critic,
            fault: fault.kind,
            size: fault.name,
            truth: truthOf(fault.kind, fault.size),
          },
          object,
          critic,
          fault,
        },
      ]
    })
  },
)

/** Below this tilt an axis is within the tolerance of the metrics. */
const SUBTLE_TILT = 14.3

/** What a perfect critic says. */
export function truthOf(kind: FaultKind, size: number): string {
  switch (kind) {
    case 'none':
      return 'success'
    case 'type':
      return 'joint_type'
    case 'axis-tilt':
      return size < SUBTLE_TILT ? 'subtle' : 'joint_axis'
    case 'axis-turn':
      return 'joint_axis'
    case 'origin-shift':
      return 'joint_origin'
    case 'direction':
    case 'range':
      return 'joint_limit'
    case 'part-shift':
    case 'part-floating':
    case 'part-missing':
      return 'placement'
  }
}
