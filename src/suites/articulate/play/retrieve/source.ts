/** Targets and pools: objects drawn from a seed, or those of a folder. */
import { join, resolve } from 'node:path'
import {
  DataFiles,
  listingHash,
  type OpenedSource,
  Random,
  type SourceRequest,
  UserError,
  z,
} from '../../../../suite.ts'
import { CATEGORIES, GENERATOR } from '../../domain/objects/catalogue.ts'
import { builtinModel, type BuiltinRef, readableModel } from '../../domain/objects/find.ts'
import { kindOf } from '../../domain/assembly/parts.ts'
import type { ArticulatedModel } from '../../domain/objects/model.ts'
import { categoryOf, partNetFolders } from '../../domain/objects/partnet.ts'
import { drawLook } from '../pictures/look.ts'
import { isSeen, motionView } from '../pictures/visible.ts'
import { BUILTIN, idOf, PARTNET } from '../../samples/sources.ts'
import type { RetrieveOptions } from './options.ts'
import { plain } from './parse.ts'
import { type Candidate, type Input, INPUTS, type RetrieveSample } from './sample.ts'

/** Raised whenever the same objects get other questions. */
const VERSION = 1

/** Seeds of pools lie apart from those of targets in other suites. */
const SEEDS_APART = 100_000

type Asked = Pick<RetrieveSample, 'target' | 'pool'>

function inputsOf({ input }: RetrieveOptions): readonly Input[] {
  return input === 'all' ? INPUTS : [input]
}

/**
 * One sample per object and kind of input; a video needs a motion that can be seen. An object that cannot be read stays
 * among the cases, and ends as a missing asset when it is played.
 */
function* samplesOf(
  name: string,
  model: ArticulatedModel | null,
  asked: Asked,
  inputs: readonly Input[],
): Iterable<RetrieveSample> {
  for (const input of inputs) {
    const random = new Random(`articulate/retrieve/${VERSION}/${input}/${name}`)
    const isFile = 'folder' in asked.target.object
    const part = model && input === 'video' ? (random.shuffle(movingParts(model))[0] ?? null) : null
    if (model && input === 'video' && part === null) continue
    yield {
      ...asked,
      id: `${input}-${name}`,
      cluster: name,
      labels: { category: asked.target.category, input },
      input,
      part,
      look: drawLook(random),
      text: model && input === 'text' ? inWords(model, isFile ? plain(asked.target.category) : model.title) : null,
      ...(model && input === 'text' && isFile ? { kinds: model.parts.map((each) => kindOf(each.name)) } : {}),
    }
  }
}

/** As a person would ask for it: `a cabinet with 2 doors and a drawer`. */
export function inWords(model: ArticulatedModel, title = model.title): string {
  const counts = new Map<string, number>()
  for (const { name } of model.parts.slice(1)) counts.set(kindOf(name), (counts.get(kindOf(name)) ?? 0) + 1)
  const named = [...counts].map(([kind, n]) => {
    const words = kind.replaceAll('_', ' ')
    return n === 1 ? `a ${words}` : `${n} ${words}s`
  })
  const last = named.pop()
  const list = named.length === 0 ? last : `${named.join(', ')} and ${last}`
  return last === undefined ? `a ${title}` : `a ${title} with ${list}`
}

function movingParts(model: ArticulatedModel): string[] {
  return model.joints
    .filter(({ type, child }) => type !== 'fixed' && isSeen(motionView(model, child)))
    .map(({ child }) => child)
}

async function openBuiltin({
  args: { objects, categories },
  options,
  seed,
}: SourceRequest<RetrieveOptions, z.output<typeof BUILTIN.args>>): Promise<OpenedSource<RetrieveSample>> {
  const wanted =
    categories === undefined ? CATEGORIES : CATEGORIES.filter((name) => categories.split('+').includes(name))
  const { names, candidates, holdout } = options
  const ref = (category: string, at: number): Candidate => {
    const object: BuiltinRef = { category, seed: seed * SEEDS_APART + at, generator: GENERATOR }
    return { category, object: names === 'neutral' ? { ...object, names } : object }
  }
  // The pool is of all categories, whichever are asked for; a target that is held out is one more.
  const pool = CATEGORIES.flatMap((category) => Array.from({ length: candidates }, (_, at) => ref(category, at)))
  return {
    fingerprint: `articulate-retrieve-${VERSION}/objects-${GENERATOR}/${names}/seed=${seed}/objects=${objects}/${wanted.join('+')}/${options.input}/${candidates}/${holdout}`,
    count: null,
    *samples() {
      for (let i = 0; i < objects; i++) {
        const category = wanted[i % wanted.length]!
        const turn = Math.floor(i / wanted.length)
        const target = ref(category, holdout ? candidates + turn : turn % candidates)
        const model = builtinModel(target.object as BuiltinRef)
        yield* samplesOf(
          `${model.id}${turn < candidates || holdout ? '' : `-${turn}`}`,
          model,
          { target, pool },
          inputsOf(options),
        )
      }
    },
  }
}

/** As published: what it is called is compared with these names. */
const RENAMED: Readonly<Record<string, string>> = { StorageFurniture: 'Cabinet' }

async function openPartNet({
  args,
  options,
}: SourceRequest<RetrieveOptions, z.output<typeof PARTNET.args>>): Promise<OpenedSource<RetrieveSample>> {
  const { candidates, holdout, input } = options
  if (holdout) throw new UserError('holdout=true needs built-in objects: the closest mesh is not known for PartNet.')
  const root = resolve(args.path)
  const folders = await partNetFolders(root)
  const source = `partnet-retrieve-${VERSION}/${await listingHash(folders.map((folder) => join(root, folder)))}`
  const all: Candidate[] = []
  for (const folder of folders) {
    const category = await categoryOf(join(root, folder))
    all.push({ category: RENAMED[category] ?? category, object: { source, folder } })
  }
  const nth = (candidate: Candidate): number =>
    all.filter(({ category }) => category === candidate.category).indexOf(candidate)
  return {
    fingerprint: `${source}/${input}/${candidates}`,
    count: null,
    roots: { [source]: root },
    files: () => listingHash(folders.map((folder) => join(root, folder))),
    async *samples() {
      const files = new DataFiles({ [source]: root })
      for (const target of all) {
        // The pool has the first ones of every category, and the target itself.
        const pool = all.filter((each) => each === target || nth(each) < candidates)
        const model = await readableModel(target.object, files)
        yield* samplesOf(idOf(target.object), model, { target, pool }, inputsOf(options))
      }
    },
  }
}

export const retrieveSources = {
  builtin: { ...BUILTIN, open: openBuiltin },
  partnet: { ...PARTNET, open: openPartNet },
}
