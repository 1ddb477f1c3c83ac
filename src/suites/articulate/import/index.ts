/** Logs of Articulate-Anything as replies: what its actors built and its critics said, to be scored again. */
import { DataFiles, type ImportedEpisode, type Importer, MissingAssetError, plural, UserError } from '../../../suite.ts'
import { isMovable, readUrdf, type Robot, writeUrdf } from '../../../world.ts'
import { modelOf } from '../domain/objects/find.ts'
import type { ArticulatedModel, DatasetFrames } from '../domain/objects/model.ts'
import type { Profile } from '../domain/profile.ts'
import type { LoopOptions } from '../options.ts'
import type { LoopSample, Task } from '../samples/sample.ts'
import { type LoggedIteration, type LoggedRun, loggedRuns } from './logs.ts'
import { inOwnFrames } from './own-frames.ts'

const TITLE = 'output folders of Articulate-Anything (its out_dir)'

export function loopImporter(task: Task): Importer<LoopOptions, LoopSample, Profile> {
  return {
    title: TITLE,
    async read(path, { options, source }) {
      if (!source)
        throw new UserError('The ground truth of Articulate-Anything logs is in PartNet-Mobility.', {
          hint: 'Name the dataset: --source partnet:/data/partnet-mobility.',
        })
      const runs = await loggedRuns(path, task)
      const samples: LoopSample[] = []
      for await (const sample of source.samples()) samples.push(sample)
      const files = new DataFiles(source.roots ?? {})
      const notes = new Set<string>()
      const paired: { sample: LoopSample; run: LoggedRun; dataset: DatasetFrames }[] = []
      for (const run of runs) {
        const own = samples.filter(({ object }) => 'folder' in object && object.folder === run.object)
        if (own.length === 0) {
          notes.add(`Object ${run.object} is not in the source; it is left out.`)
          continue
        }
        const dataset = (await modelIn(own[0]!, files))?.dataset
        const sample = dataset && sampleFor(task, own, run, dataset)
        if (sample && paired.some((other) => other.sample === sample))
          notes.add(`${sample.id} was recorded more than once; the first record counts.`)
        else if (sample) paired.push({ sample, run, dataset })
        else notes.add(`Object ${run.object}: its files or the part that moves cannot be found; it is left out.`)
      }
      // A critic is asked about everything that was built, or about nothing.
      const hasCritics = paired.every(({ run }) => run.iterations.every(({ urdf, critique }) => !urdf || critique))
      if (!hasCritics) notes.add('Some results were not criticised: the recorded critiques are left out.')
      const seeds = runs.reduce((sum, { otherSeeds }) => sum + otherSeeds, 0)
      if (seeds > 0) notes.add(`Of every iteration the best seed counts; ${plural(seeds, 'other')} left out.`)
      const episodes = paired.map(({ sample, run, dataset }) => episode(sample, run, { dataset, options, hasCritics }))
      return { model: runs.find(({ model }) => model !== null)?.model ?? null, notes: [...notes], episodes }
    },
  }
}

/** Null when the files of the object cannot be read. */
async function modelIn({ object }: LoopSample, files: DataFiles): Promise<ArticulatedModel | null> {
  return modelOf(object, files).catch((error: unknown) => {
    if (error instanceof MissingAssetError) return null
    throw error
  })
}

/** A joint is asked for by its part; logs name the part, a joint of the dataset, or only have one that moves. */
function sampleFor(
  task: Task,
  samples: readonly LoopSample[],
  { target, iterations }: LoggedRun,
  { parts }: DatasetFrames,
): LoopSample | undefined {
  if (task !== 'joint') return samples[0]
  const named = target === null ? null : (parts.get(target) ?? target)
  const part = named ?? onlyMoving(iterations)
  return samples.find((sample) => sample.target === part)
}

function onlyMoving(iterations: readonly LoggedIteration[]): string | null {
  for (const { urdf } of iterations) {
    const moving = urdfIn(urdf)?.joints.filter((joint) => isMovable(joint)) ?? []
    if (moving.length === 1) return moving[0]!.child
  }
  return null
}

function urdfIn(text: string | null): Robot | null {
  if (text === null) return null
  try {
    return readUrdf(text).robot
  } catch (error) {
    // What the reader says about it is said again when it is played.
    if (error instanceof UserError) return null
    throw error
  }
}

interface Reading {
  dataset: DatasetFrames
  options: LoopOptions
  hasCritics: boolean
}

/**
 * The published loop may end earlier than the rules that it is played by; its last answer is then given again, which changes
 * neither what counts nor its score.
 */
function episode(
  sample: LoopSample,
  { iterations }: LoggedRun,
  { dataset, options, hasCritics }: Reading,
): ImportedEpisode<LoopSample> {
  const most = options.iterations + 1
  const played = Array.from({ length: most }, (_, i) => iterations[Math.min(i, iterations.length - 1)]!)
  const player = played.map((iteration) => replyOf(iteration, dataset))
  if (!hasCritics) return { sample, replies: { player } }
  return { sample, replies: { player, critic: played.flatMap(({ urdf, critique }) => (urdf ? [critique ?? ''] : [])) } }
}

/** What was built, as URDF; a program that failed stays a failure. */
function replyOf({ urdf, error }: LoggedIteration, dataset: DatasetFrames): string {
  if (urdf === null) return `The program failed. ${error.trim().split('\n').at(-1) ?? ''}`.trim()
  const robot = urdfIn(urdf)
  return robot ? writeUrdf(inOwnFrames(robot, dataset)) : urdf
}
