/** Output folders of Articulate-Anything: which objects they hold, and what every iteration left. */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { codeOf, fileErrorReason, isObject, UserError, readRegularText, parseForeignJson } from '../../../suite.ts'

export interface LoggedIteration {
  /** URDF that was compiled; null where the program failed. */
  urdf: string | null
  /** Why it failed, where that was recorded. */
  error: string
  /** The critic's answer as it was saved. */
  critique: string | null
}

export interface LoggedRun {
  object: string
  /** What names the target: a joint of the dataset or a part; null for the whole object. */
  target: string | null
  model: string | null
  iterations: LoggedIteration[]
  /** Runs of the same iteration that were not the best. */
  otherSeeds: number
}

/** Folders of a stage: what the actor and its critic write. */
const STAGES = {
  place: [{ actor: 'link_placement', critic: 'link_critic' }],
  joint: [
    { actor: 'joint_actor', critic: 'joint_critic' },
    { actor: 'joint_pred', critic: 'joint_critic' },
  ],
  // What the joint critic says is about one joint.
  build: [{ actor: 'joint_actor', critic: null }],
} as const
export type Stage = keyof typeof STAGES

const DEPTH = 4
/** No file of a log is this large. */
const MAX_BYTES = 8 * 1024 * 1024

/** Every run of a stage below a folder, in order of the objects' names. */
export async function loggedRuns(root: string, stage: Stage): Promise<LoggedRun[]> {
  const runs: LoggedRun[] = []
  const visit = async (folder: string, depth: number): Promise<void> => {
    const names = await folders(folder)
    const found = STAGES[stage].filter(({ actor }) => names.includes(actor))
    for (const { actor, critic } of found) runs.push(...(await runsOf(folder, actor, critic)))
    if (found.length === 0 && depth < DEPTH) for (const name of names) await visit(join(folder, name), depth + 1)
  }
  const known = await stat(root).catch((error: unknown) => {
    throw new UserError(`${root} cannot be read: ${fileErrorReason(error)}.`)
  })
  if (!known.isDirectory())
    throw new UserError(`${root} is a file.`, { hint: 'Give the output folder of Articulate-Anything (out_dir).' })
  await visit(root, 0)
  return runs
}

/** Iterations lie below the stage, or below one folder per joint. */
async function runsOf(folder: string, actor: string, critic: string | null): Promise<LoggedRun[]> {
  const object = basename(folder)
  const inside = await folders(join(folder, actor))
  if (inside.some((name) => name.startsWith('iter_'))) {
    const run = await runOf(join(folder, actor), critic && join(folder, critic))
    return run.iterations.length > 0 ? [{ ...run, object }] : []
  }
  const runs: LoggedRun[] = []
  for (const joint of inside) {
    const run = await runOf(join(folder, actor, joint), critic && join(folder, critic, joint))
    if (run.iterations.length > 0) runs.push({ ...run, object, target: joint })
  }
  return runs
}

async function runOf(actor: string, critic: string | null): Promise<Omit<LoggedRun, 'object'>> {
  const run: Omit<LoggedRun, 'object'> = { target: null, model: null, iterations: [], otherSeeds: 0 }
  const iterations = (await folders(actor)).filter((name) => /^iter_\d+$/.test(name)).sort(byNumber)
  for (const iteration of iterations) {
    const seeds = (await folders(join(actor, iteration))).filter((name) => /^seed_\d+$/.test(name)).sort(byNumber)
    const logged: LoggedIteration[] = []
    for (const seed of seeds) {
      const own = join(actor, iteration, seed)
      logged.push(
        await iterationOf(own, critic && join(critic, iteration, seed), Number(iteration.slice('iter_'.length))),
      )
      const config = await text(join(own, 'config.json'))
      run.model ??= setting(config, 'model_name')
      run.target ??= setting(config, 'targetted_semantic_part') ?? setting(config, 'targetted_joint')
    }
    const [best] = logged.toSorted((a, b) => ratingOf(b) - ratingOf(a))
    if (!best) continue
    run.iterations.push(best)
    run.otherSeeds += logged.length - 1
  }
  return run
}

async function iterationOf(actor: string, critic: string | null, iteration: number): Promise<LoggedIteration> {
  const names = critic === null ? [] : await readdir(critic).catch((): string[] => [])
  const saved = names.find((name) => name.endsWith('_critic.json'))
  return {
    urdf: await text(join(actor, 'mobility.urdf')),
    error: (await text(join(actor, 'error.txt'))) ?? '',
    // The fork keeps the answers of its critic next to the renders that they are about.
    critique:
      (critic === null || saved === undefined ? null : await text(join(critic, saved))) ??
      (await text(
        join(actor, `critic_renders_iter${iteration}_seed0`, `prompt_critic_result_iter${iteration}_seed0.json`),
      )),
  }
}

/** As the published loop prefers them: those that failed last. */
function ratingOf({ urdf, critique }: LoggedIteration): number {
  if (urdf === null) return -1
  try {
    const saved: unknown = parseForeignJson(critique ?? '{}')
    return isObject(saved) ? Number(saved['realism_rating'] ?? saved['feedback_score'] ?? 0) || 0 : 0
  } catch {
    return 0
  }
}

/** A setting in the YAML that is saved under the name config.json. */
function setting(config: string | null, name: string): string | null {
  const found = new RegExp(String.raw`^[ "]{0,16}${name}"?:[ \t]{0,4}(.{1,200})$`, 'm').exec(config ?? '')?.[1]
  const value = found?.replace(/,$/, '').replaceAll(/["']/g, '').trim() ?? ''
  return value === '' || value === 'null' ? null : value
}

function byNumber(a: string, b: string): number {
  return Number(a.split('_')[1]) - Number(b.split('_')[1])
}

async function folders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1))
}

async function text(path: string): Promise<string | null> {
  try {
    return await readRegularText(path, MAX_BYTES)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    if (error instanceof UserError) throw error
    throw new UserError(`${path} cannot be read: ${fileErrorReason(error)}.`)
  }
}
