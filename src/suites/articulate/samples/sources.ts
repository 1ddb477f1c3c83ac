/** Objects drawn from a seed or read from a folder, and what is asked about them. */
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import {
  DataFiles,
  didYouMean,
  listingHash,
  LruCache,
  type OpenedSource,
  Random,
  type SourceRequest,
  UserError,
  readRegular,
} from '../../../suite.ts'
import { filmsFingerprint } from '../domain/films.ts'
import { CATEGORIES, GENERATOR } from '../domain/objects/catalogue.ts'
import {
  type Deviation,
  type FaultKind,
  jointDeviation,
  linkDeviation,
  urdfDeviation,
  variantOf,
} from '../domain/objects/faults.ts'
import { builtinModel, type BuiltinRef, type ObjectRef, readableModel } from '../domain/objects/find.ts'
import type { Expectation } from '../domain/objects/mechanisms.ts'
import { type ArticulatedModel, type ModelJoint, trueRobot } from '../domain/objects/model.ts'
import { partNetFolders } from '../domain/objects/partnet.ts'
import { storedShape } from '../domain/objects/shape.ts'
import type { CriticOptions, LoopOptions } from '../options.ts'
import { STILLS } from '../play/pictures/cameras.ts'
import type { Finding } from '../domain/states.ts'
import { jointCritique, placementCritique } from '../measure/critique.ts'
import { requirePhysics } from '../measure/physics/index.ts'
import { drawLook, type Look } from '../play/pictures/look.ts'
import { isSeen, motionView, type MotionView, seenParts } from '../play/pictures/visible.ts'
import type { CriticSample, LoopSample, Task } from './sample.ts'

/** Raised whenever the same objects get other questions. */
const QUESTIONS_VERSION = 4
/** Raised whenever the same object gets another fault. */
const FAULTS_VERSION = 2

/** Objects of a category are counted within a seed. */
const SEEDS_APART = 100_000

export const BUILTIN = {
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

export const PARTNET = {
  title: 'PartNet-Mobility: the folder with its numbered objects',
  usage: 'partnet:/data/partnet-mobility',
  dataset: {
    name: 'partnet-mobility',
    from: {
      page: 'https://sapien.ucsd.edu/downloads',
      steps: 'Register, accept its terms, download the PartNet-Mobility dataset and unpack it into one folder:',
    },
  },
  args: z.object({ path: z.string().describe('the folder that holds the numbered objects') }),
}

interface SourceOptions {
  films?: string | undefined
  names: 'plain' | 'neutral'
}

/** What is asked about one object, and how many questions nobody could answer by looking. */
interface Asked<Sample> {
  samples: Sample[]
  leftOut?: number
}

/** `model` is null when its files cannot be read. */
type Asking<Sample> = (object: ObjectRef, model: ArticulatedModel | null, index: number) => Asked<Sample>

/** A run goes over its objects more than once, and whether a question can be answered by looking takes pictures. */
const KNOWN_OBJECTS = 512

/** Other films are other questions. */
async function fingerprintWith({ films }: Pick<SourceOptions, 'films'>, fingerprint: string): Promise<string> {
  return films === undefined ? fingerprint : `${fingerprint}/films=${await filmsFingerprint(films)}`
}

/** Samples that say how many questions were left out before them, the last one also how many after it. */
function* counted<Sample extends { leftOut?: number }>(all: Iterable<Asked<Sample>>): Iterable<Sample> {
  let [held, leftOut]: [Sample | null, number] = [null, 0]
  const told = (sample: Sample): Sample => (leftOut > 0 ? { ...sample, leftOut } : sample)
  for (const asked of all) {
    for (const sample of asked.samples) {
      if (held) {
        yield told(held)
        leftOut = 0
      }
      held = sample
    }
    leftOut += asked.leftOut ?? 0
  }
  if (held) yield told(held)
}

async function openBuiltin<Sample extends { leftOut?: number }>(
  { args, options, seed }: SourceRequest<SourceOptions, z.output<typeof BUILTIN.args>>,
  ask: Asking<Sample>,
  places: 'usual' | 'drawn',
): Promise<OpenedSource<Sample>> {
  const { objects, categories } = args
  const { names } = options
  const wanted = categories === undefined ? CATEGORIES : categories.split('+')
  const unknown = wanted.find((name) => !CATEGORIES.includes(name))
  if (unknown !== undefined)
    throw new UserError(`There is no category "${unknown}".`, { hint: didYouMean(unknown, CATEGORIES, 'Categories') })
  const fingerprint = `articulate-${QUESTIONS_VERSION}/objects-${GENERATOR}/${names}/${places}/seed=${seed}/objects=${objects}/${wanted.join('+')}`
  return {
    fingerprint: await fingerprintWith(options, fingerprint),
    count: null,
    samples: () => counted(objectsAsked()),
  }

  function* objectsAsked(): Iterable<Asked<Sample>> {
    for (let i = 0; i < objects; i++) {
      const category = wanted[i % wanted.length]!
      const object: BuiltinRef = {
        category,
        seed: seed * SEEDS_APART + Math.floor(i / wanted.length),
        generator: GENERATOR,
        ...(names === 'neutral' ? { names } : {}),
        ...(places === 'drawn' ? { places } : {}),
      }
      yield ask(object, builtinModel(object), i)
    }
  }
}

async function openPartNet<Sample>(
  { args, options }: SourceRequest<SourceOptions, z.output<typeof PARTNET.args>>,
  ask: Asking<Sample>,
): Promise<OpenedSource<Sample>> {
  const root = resolve(args.path)
  const folders = await partNetFolders(root)
  const hash = createHash('sha256')
  for (const folder of folders)
    hash.update(`${folder}\0`).update(await readRegular(join(root, folder, 'mobility.urdf')))
  const source = `partnet-${QUESTIONS_VERSION}/${hash.digest('hex').slice(0, 16)}`
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
        yield* ask(object, await readableModel(object, files), i).samples
      }
    },
  }
}

export function idOf(object: ObjectRef): string {
  return 'folder' in object ? object.folder : `${object.category}-${object.seed}`
}

function sourcesOf<Options extends SourceOptions, Sample extends { leftOut?: number }>(
  asking: (options: Options) => Asking<Sample>,
  placesOf: (options: Options) => 'usual' | 'drawn' = () => 'usual',
  check: (options: Options) => Promise<void> | undefined = () => undefined,
) {
  const known = new LruCache<Asked<Sample>>(KNOWN_OBJECTS)
  return {
    builtin: {
      ...BUILTIN,
      async open(request: SourceRequest<Options, z.output<typeof BUILTIN.args>>) {
        await check(request.options)
        const ask = asking(request.options)
        const askOnce: Asking<Sample> = (object, model, index) =>
          known.getOrCreate(JSON.stringify([object, index, request.options]), () => ask(object, model, index))
        return openBuiltin(request, askOnce, placesOf(request.options))
      },
    },
    partnet: {
      ...PARTNET,
      async open(request: SourceRequest<Options, z.output<typeof PARTNET.args>>) {
        await check(request.options)
        return openPartNet(request, asking(request.options))
      },
    },
  }
}

/**
 * Place and build ask once per object, joint once for every part that moves. Of built-in objects nothing is asked that the
 * pictures do not show.
 */
export function loopSources(task: Task) {
  const placesOf = ({ places }: LoopOptions): 'usual' | 'drawn' =>
    places === 'auto' ? (task === 'joint' ? 'usual' : 'drawn') : places
  return sourcesOf<LoopOptions, LoopSample>(
    () => ask,
    placesOf,
    ({ physics }) => (physics ? requirePhysics() : undefined),
  )

  function ask(object: ObjectRef, model: ArticulatedModel | null): Asked<LoopSample> {
    const name = idOf(object)
    const base = { cluster: name, object }
    if (!model)
      return { samples: [{ ...base, id: `${task}-${name}`, labels: { category: 'unreadable' }, target: null }] }
    const { category } = model
    const asked = (id: string, labels: Record<string, string>, target: string | null): LoopSample => ({
      ...base,
      id,
      labels: { category, ...labels },
      target,
      ...('folder' in object ? { shape: storedShape(model, target) } : {}),
    })
    const moving = model.joints.filter(({ type }) => type !== 'fixed')
    if (task !== 'joint') {
      const isShown =
        'folder' in object ||
        (task === 'place' ? seenParts(model, STILLS).size === model.parts.length : showsBuild(model, moving))
      if (!isShown) return { samples: [], leftOut: 1 }
      const prior = task === 'build' ? priorOf(moving) : {}
      return { samples: [asked(`${task}-${name}`, { parts: String(model.parts.length), ...prior }, null)] }
    }
    const samples = moving.flatMap((joint): LoopSample[] => {
      const { child, type } = joint
      const sample = asked(`joint-${name}-${child}`, { type, ...priorOf([joint]) }, child)
      if ('folder' in object) return [sample]
      const view = motionView(model, child)
      return isSeen(view) ? [{ ...sample, view }] : []
    })
    return { samples, leftOut: moving.length - samples.length }
  }
}

/** Every motion, and where every part is that does not move. */
function showsBuild(model: ArticulatedModel, moving: readonly ModelJoint[]): boolean {
  if (!moving.every(({ child }) => isSeen(motionView(model, child)))) return false
  const seen = seenParts(model, ['front'])
  return model.parts.every(({ name }) => seen.has(name) || moving.some(({ child }) => child === name))
}

/** Whether it moves as one expects; counter-prior as soon as one joint is. */
function priorOf(joints: readonly ModelJoint[]): { prior?: Expectation } {
  if (joints.every(({ prior }) => prior === undefined)) return {}
  return { prior: joints.some(({ prior }) => prior === 'counter-prior') ? 'counter-prior' : 'prior-consistent' }
}

/** Draws until the geometric critic agrees with what the deviation was meant to be. */
const DRAWS = 6

/** As many that are right, or nearly, as wrong ones; nothing about what was built tells which. */
export const criticSources = sourcesOf<CriticOptions, CriticSample>(({ critics }) => (object, model, index) => {
  if (!model) return { samples: [unreadable(object)] }
  const asked = (['joint', 'link', 'urdf'] as const).filter((critic) =>
    critics === 'both' ? critic !== 'urdf' : critics === critic,
  )
  const samples = asked.flatMap((critic): CriticSample[] => {
    const random = new Random(`articulate/fault/${FAULTS_VERSION}/${critic}/${model.id}/${index}`)
    const isRight = isRightAt(object, critic, index)
    const looks = { truth: drawLook(random.fork('truth')), prediction: drawLook(random.fork('prediction')) }
    const draw = { joint: jointCase, link: linkCase, urdf: urdfCase }[critic]
    const drawn = draw(object, model, isRight, random, looks)
    if (!drawn) return []
    const { fault, truth, verdict, view } = drawn
    return [
      {
        id: `${critic}-${model.id}-${index}`,
        cluster: model.id,
        labels: { category: model.category, critic, fault: fault.kind, size: fault.name, truth: verdict },
        object,
        critic,
        fault,
        truth,
        looks,
        ...(view ? { view } : {}),
      },
    ]
  })
  return { samples, leftOut: asked.length - samples.length }
})

/** So many objects in a row have as many right as wrong ones, in an order of their own. */
const BLOCK = 8

function isRightAt(object: ObjectRef, critic: string, index: number): boolean {
  const draw = 'folder' in object ? 'partnet' : Math.floor(object.seed / SEEDS_APART)
  const block = new Random(`articulate/right/${FAULTS_VERSION}/${critic}/${draw}/${Math.floor(index / BLOCK)}`)
  const order = block.shuffle(Array.from({ length: BLOCK }, (_, i) => i % 2 === 0))
  return order[index % BLOCK]!
}

type Drawn = Deviation & { verdict: string; view?: MotionView }

/** A joint whose true motion can be seen, and a deviation that counts for what it is. */
function jointCase(object: ObjectRef, model: ArticulatedModel, isRight: boolean, random: Random): Drawn | null {
  const moving = model.joints.filter(({ type }) => type !== 'fixed')
  const isBuiltin = !('folder' in object)
  for (let draw = 0; draw < DRAWS && moving.length > 0; draw++) {
    // The joint and what was built do not depend on whether it is right.
    const own = random.fork(`draw ${draw}`)
    const joint = own.pick(moving)
    const deviation = jointDeviation(model, joint, isRight, own)
    if (!deviation) continue
    const { fault, truth } = deviation
    const original = variantOf(model, truth)
    const { finding } = jointCritique(original, trueRobot(variantOf(model, fault)), joint.child)
    if (finding !== expectedFinding(fault.kind, isRight)) continue
    if (!isBuiltin) return { ...deviation, verdict: finding }
    const view = motionView(original, joint.child)
    if (isSeen(view)) return { ...deviation, verdict: finding, view }
  }
  return null
}

function linkCase(
  object: ObjectRef,
  model: ArticulatedModel,
  isRight: boolean,
  random: Random,
  looks: { truth: Look; prediction: Look },
): Drawn | null {
  for (let draw = 0; draw < DRAWS; draw++) {
    const deviation = linkDeviation(model, isRight, random.fork(`draw ${draw}`))
    if (!deviation) return null
    const { fault, truth } = deviation
    const [original, built] = [variantOf(model, truth), variantOf(model, fault)]
    const isAccepted = placementCritique(original, trueRobot(built)).feedback_score > 5
    // A part that is hidden in one of the two pictures looks like one that is missing.
    const isShown =
      'folder' in object || (showsAll(original, original, looks.truth) && showsAll(built, original, looks.prediction))
    if (isAccepted === isRight && isShown) return { ...deviation, verdict: isRight ? 'success' : 'placement' }
  }
  return null
}

/** Without an original to compare with, only an object that moves as one expects can be right. */
function urdfCase(
  object: ObjectRef,
  model: ArticulatedModel,
  isRight: boolean,
  random: Random,
  looks: { prediction: Look },
): Drawn | null {
  if (model.joints.some(({ prior }) => prior === 'counter-prior')) return null
  for (let draw = 0; draw < DRAWS; draw++) {
    const deviation = urdfDeviation(model, isRight, random.fork(`draw ${draw}`))
    if (!deviation) return null
    const built = variantOf(model, deviation.fault)
    const isShown = 'folder' in object || showsAll(built, model, looks.prediction)
    const isOff = jointCritique(model, trueRobot(built), deviation.fault.part).finding !== 'success'
    const verdict = isRight ? 'success' : deviation.fault.kind === 'part-shift' ? 'placement' : 'joint'
    if (isShown && (verdict === 'joint' ? isOff : true)) return { ...deviation, verdict }
  }
  return null
}

function showsAll(model: ArticulatedModel, original: ArticulatedModel, look: Look): boolean {
  return seenParts(model, ['front'], { original, look }).size === model.parts.length
}

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

/** What a perfect critic says. */
function expectedFinding(kind: FaultKind, isRight: boolean): Finding {
  if (isRight) return 'success'
  switch (kind) {
    case 'type':
      return 'joint_type'
    case 'axis-tilt':
    case 'axis-turn':
      return 'joint_axis'
    case 'origin-shift':
      return 'joint_origin'
    case 'direction':
    case 'range':
      return 'joint_limit'
    case 'none':
    case 'part-shift':
    case 'part-missing':
      return 'success'
  }
}
