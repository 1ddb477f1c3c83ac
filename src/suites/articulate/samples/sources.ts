/** Objects drawn from a seed or read from a folder, and what is asked about them. */
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import {
  DataFiles,
  didYouMean,
  listingHash,
  MissingAssetError,
  type OpenedSource,
  Random,
  type SourceRequest,
  UserError,
  readRegular,
} from '../../../suite.ts'
import { filmsFingerprint } from '../domain/films.ts'
import { buildArticulated, CATEGORIES } from '../domain/objects/catalogue.ts'
import { type FaultKind, injectFault, JOINT_FAULTS, LINK_FAULTS } from '../domain/objects/faults.ts'
import { modelOf, type ObjectRef } from '../domain/objects/find.ts'
import type { ArticulatedModel } from '../domain/objects/model.ts'
import { partNetFolders } from '../domain/objects/partnet.ts'
import { storedShape } from '../domain/objects/shape.ts'
import type { CriticOptions, LoopOptions } from '../options.ts'
import type { CriticSample, LoopSample, Task } from './sample.ts'

/** Raised whenever the same seed gives other objects or questions. */
const GENERATOR_VERSION = 2
/** Raised whenever the same object gets another fault. */
const FAULTS_VERSION = 1

const BUILTIN = {
  title: 'objects generated from a seed',
  usage: 'builtin:seed=7,objects=36,categories=cabinet+door',
  args: z.object({
    seed: z.int().optional(),
    objects: z
      .int()
      .min(1)
      .max(100_000)
      .default(CATEGORIES.length * 2),
    categories: z.string().optional().describe('kinds of objects, with + between them; default: all'),
  }),
}

const PARTNET = {
  title: 'PartNet-Mobility: the folder with its numbered objects',
  usage: 'partnet:/data/partnet-mobility',
  args: z.object({ path: z.string().describe('the folder that holds the numbered objects') }),
}

interface WithFilms {
  films?: string | undefined
}

/** What is asked about one object; `model` is null when its files cannot be read. */
type Asking<Sample> = (object: ObjectRef, model: ArticulatedModel | null, index: number) => Sample[]

/** Other films are other questions. */
async function fingerprintWith({ films }: WithFilms, fingerprint: string): Promise<string> {
  return films === undefined ? fingerprint : `${fingerprint}/films=${await filmsFingerprint(films)}`
}

async function openBuiltin<Sample>(
  { args, options, seed }: SourceRequest<WithFilms, z.output<typeof BUILTIN.args>>,
  ask: Asking<Sample>,
): Promise<OpenedSource<Sample>> {
  const { objects, categories } = args
  const wanted = categories === undefined ? CATEGORIES : categories.split('+')
  const unknown = wanted.find((name) => !CATEGORIES.includes(name))
  if (unknown !== undefined)
    throw new UserError(`There is no category "${unknown}".`, { hint: didYouMean(unknown, CATEGORIES, 'Categories') })
  const fingerprint = `articulate-${GENERATOR_VERSION}/seed=${seed}/objects=${objects}/${wanted.join('+')}`
  return {
    fingerprint: await fingerprintWith(options, fingerprint),
    count: null,
    *samples() {
      for (let i = 0; i < objects; i++) {
        const category = wanted[i % wanted.length]!
        const object = { category, seed: seed * 100_000 + Math.floor(i / wanted.length) }
        yield* ask(object, buildArticulated(category, object.seed), i)
      }
    },
  }
}

async function openPartNet<Sample>(
  { args, options }: SourceRequest<WithFilms, z.output<typeof PARTNET.args>>,
  ask: Asking<Sample>,
): Promise<OpenedSource<Sample>> {
  const root = resolve(args.path)
  const folders = await partNetFolders(root)
  const hash = createHash('sha256')
  for (const folder of folders)
    hash.update(`${folder}\0`).update(await readRegular(join(root, folder, 'mobility.urdf')))
  const source = `partnet-${GENERATOR_VERSION}/${hash.digest('hex').slice(0, 16)}`
  const roots = { [source]: root }
  return {
    fingerprint: await fingerprintWith(options, source),
    count: null,
    roots,
    files: () => listingHash(folders.map((folder) => join(root, folder))),
    async *samples() {
      const files = new DataFiles(roots)
      for (const [i, folder] of folders.entries()) {
        const object = { source, folder }
        // An object that cannot be read stays among the cases, and ends as a missing asset when it is played.
        const model = await modelOf(object, files).catch((error: unknown) => {
          if (error instanceof MissingAssetError) return null
          throw error
        })
        yield* ask(object, model, i)
      }
    },
  }
}

function idOf(object: ObjectRef): string {
  return 'folder' in object ? object.folder : `${object.category}-${object.seed}`
}

function sourcesOf<Options extends WithFilms, Sample>(asking: (options: Options) => Asking<Sample>) {
  return {
    builtin: {
      ...BUILTIN,
      open: (request: SourceRequest<Options, z.output<typeof BUILTIN.args>>) =>
        openBuiltin(request, asking(request.options)),
    },
    partnet: {
      ...PARTNET,
      open: (request: SourceRequest<Options, z.output<typeof PARTNET.args>>) =>
        openPartNet(request, asking(request.options)),
    },
  }
}

/** Place and build ask once per object, joint once for every part that moves. */
export function loopSources(task: Task) {
  return sourcesOf<LoopOptions, LoopSample>(() => (object, model) => {
    const name = idOf(object)
    const base = { cluster: name, object }
    if (!model) return [{ ...base, id: `${task}-${name}`, labels: { category: 'unreadable' }, target: null }]
    const { category } = model
    const asked = (id: string, labels: Record<string, string>, target: string | null): LoopSample => ({
      ...base,
      id,
      labels: { category, ...labels },
      target,
      ...('folder' in object ? { shape: storedShape(model, target) } : {}),
    })
    if (task !== 'joint') return [asked(`${task}-${name}`, { parts: String(model.parts.length) }, null)]
    return model.joints
      .filter(({ type }) => type !== 'fixed')
      .map(({ child, type }) => asked(`joint-${name}-${child}`, { type }, child))
  })
}

/** Two correct objects for every three faulty ones: a critic that always finds fault must not look good. */
const CLEAN_SHARE = 0.4

export const criticSources = sourcesOf<CriticOptions, CriticSample>(({ critics }) => (object, model, index) => {
  if (!model) return [unreadable(object)]
  const asked = (['joint', 'link'] as const).filter((critic) => critics === 'both' || critics === critic)
  return asked.flatMap((critic): CriticSample[] => {
    const random = new Random(`articulate/fault/${FAULTS_VERSION}/${critic}/${model.id}/${index}`)
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
function truthOf(kind: FaultKind, size: number): string {
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
