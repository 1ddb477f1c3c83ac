/** Objects drawn from a seed, and what is asked about them. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { MissingAssetError, UserError } from '../../base/errors.ts'
import { listingHash } from '../../base/listing.ts'
import { Random } from '../../base/random.ts'
import { registerPlace } from '../../engine/places.ts'
import type { SampleBase, SourceKind } from '../../engine/suite.ts'
import type { CriticSample, LoopSample, ObjectRef, Task } from './domain/episode.ts'
import { type FaultKind, injectFault, JOINT_FAULTS, LINK_FAULTS } from './domain/faults.ts'
import { CATEGORIES } from './domain/objects/catalogue.ts'
import { modelOf } from './domain/objects/find.ts'
import type { ArticulatedModel } from './domain/objects/model.ts'
import { partNetFolders } from './domain/objects/partnet.ts'
import type { CriticOptions, LoopOptions } from './options.ts'
import { filmsFingerprint } from './play/pictures/film.ts'

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

/** What is asked about one object; `model` is null when its files cannot be read. */
type Asking<Options, Case> = (
  object: ObjectRef,
  model: ArticulatedModel | null,
  index: number,
  options: Options,
) => Case[]

interface Sources<Options, Case extends SampleBase> {
  builtin: SourceKind<Options, Case>
  partnet: SourceKind<Options, Case>
}

function sourcesOf<Options extends { films?: string | undefined }, Case extends SampleBase>(
  ask: Asking<Options, Case>,
): Sources<Options, Case> {
  return { builtin: withFilms(builtin(ask)), partnet: withFilms(partNet(ask)) }
}

/** Other films are other questions. */
function withFilms<Options extends { films?: string | undefined }, Case extends SampleBase>(
  kind: SourceKind<Options, Case>,
): SourceKind<Options, Case> {
  return {
    ...kind,
    async open(spec, options, run) {
      const opened = await kind.open(spec, options, run)
      if (options.films === undefined) return opened
      return { ...opened, fingerprint: `${opened.fingerprint}/films=${await filmsFingerprint(options.films)}` }
    },
  }
}

function builtin<Options, Case extends SampleBase>(ask: Asking<Options, Case>): SourceKind<Options, Case> {
  return {
    title: 'objects drawn from a seed',
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
      const cases = async function* (): AsyncGenerator<Case> {
        for (let i = 0; i < objects; i++) {
          const category = wanted[i % wanted.length]!
          const object = { category, seed: seed * 100_000 + Math.floor(i / wanted.length) }
          yield* ask(object, await modelOf(object), i, options)
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

function partNet<Options, Case extends SampleBase>(ask: Asking<Options, Case>): SourceKind<Options, Case> {
  return {
    title: 'PartNet-Mobility, from the folder with its numbered objects',
    usage: 'partnet:/data/partnet-mobility',
    async open({ path }, options) {
      if (path === null) throw new UserError('PartNet-Mobility is spelled partnet:/data/partnet-mobility.')
      const root = resolve(path)
      const folders = await partNetFolders(root)
      const hash = createHash('sha256')
      for (const folder of folders)
        hash.update(`${folder}\0`).update(await readFile(join(root, folder, 'mobility.urdf')))
      const source = `partnet-${GENERATOR_VERSION}/${hash.digest('hex').slice(0, 16)}`
      registerPlace(source, root)
      const cases = async function* (): AsyncGenerator<Case> {
        for (const [i, folder] of folders.entries()) {
          const object = { source, folder }
          // An object that cannot be read stays among the cases, and ends as a missing asset when it is played.
          const model = await modelOf(object).catch((error: unknown) => {
            if (error instanceof MissingAssetError) return null
            throw error
          })
          yield* ask(object, model, i, options)
        }
      }
      return {
        fingerprint: source,
        count: null,
        files: () => listingHash(folders.map((folder) => join(root, folder))),
        cases,
      }
    },
  }
}

function idOf(object: ObjectRef): string {
  return 'folder' in object ? object.folder : `${object.category}-${object.seed}`
}

/** Place and build ask once an object, joint once for every part that moves. */
export function loopSources(task: Task): Sources<LoopOptions, LoopSample> {
  return sourcesOf((object, model) => {
    const name = idOf(object)
    const base = { cluster: name, object }
    if (!model) return [{ ...base, id: `${task}-${name}`, labels: { category: 'unreadable' }, target: null }]
    const { category } = model
    if (task !== 'joint')
      return [{ ...base, id: `${task}-${name}`, labels: { category, parts: String(model.parts.length) }, target: null }]
    return model.joints
      .filter(({ type }) => type !== 'fixed')
      .map(({ child, type }): LoopSample => ({
        ...base,
        id: `joint-${name}-${child}`,
        labels: { category, type },
        target: child,
      }))
  })
}

/** Two correct objects for every three faulty ones: a critic that always finds fault must not look good. */
const CLEAN_SHARE = 0.4

export const criticSources = sourcesOf<CriticOptions, CriticSample>((object, model, index, { critics }) => {
  if (!model) return [unreadable(object)]
  const asked = (['joint', 'link'] as const).filter((critic) => critics === 'both' || critics === critic)
  return asked.flatMap((critic): CriticSample[] => {
    const random = new Random(`articulate/fault/${GENERATOR_VERSION}/${critic}/${model.id}/${index}`)
    const kinds = (critic === 'joint' ? JOINT_FAULTS : LINK_FAULTS).filter((kind) => kind !== 'none')
    const drawn: FaultKind = random.chance(CLEAN_SHARE) ? 'none' : random.pick(kinds)
    const fault = injectFault(model, drawn, random) ?? injectFault(model, 'none', random)
    if (!fault) return []
    const truth = truthOf(fault.kind, fault.size)
    return [
      {
        id: `${critic}-${model.id}-${index}`,
        cluster: model.id,
        labels: { category: model.category, critic, fault: fault.kind, size: fault.name, truth },
        object,
        critic,
        fault,
      },
    ]
  })
})

/** Stays among the cases, and ends as a missing asset when it is played. */
function unreadable(object: ObjectRef): CriticSample {
  const name = idOf(object)
  return {
    id: `joint-${name}`,
    cluster: name,
    labels: { category: 'unreadable', critic: 'joint', fault: 'none', size: 'none', truth: 'success' },
    object,
    critic: 'joint',
    fault: { kind: 'none', part: '', size: 0, name: 'none', joints: [], centers: [], without: [] },
  }
}

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
