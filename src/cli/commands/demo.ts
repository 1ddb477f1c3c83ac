/** `sightline demo`: rooms that are looked at and rooms that are read about, without API keys. */
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { shellCommand } from '../../base/shell-quote.ts'
import { DEFAULT_STORE } from '../../library/run.ts'
import { Store } from '../../store/store.ts'
import { SCENE_KINDS } from '../../world/rooms/kinds.ts'
import { EXIT } from '../terminal/exit.ts'
import { bold, print, say } from '../terminal/output.ts'
import { run } from './run.ts'
import { newScene, showScene } from './scene.ts'
import { startViewer, untilStopped } from './view.ts'

const TEXT_BASELINES = ['random', 'constant', 'scout', 'oracle']
const LOOKING_BASELINES = ['random', 'eye']
const FURNISHED_ROOMS = 2
const QUESTIONS = 6
const ROOM_FILE = 'demo-room'

interface DemoOptions {
  scenes: number
  logDir: string
  /** Start the viewer afterwards, if this is a terminal. */
  view: boolean
}

export async function demo({ scenes, logDir, view }: DemoOptions): Promise<void> {
  say('No API key, no network: baselines play two built-in benchmarks.\n')
  say('1. Look: walk through furnished rooms and answer questions (vsi/explore)')
  await run(['vsi/explore'], {
    model: LOOKING_BASELINES.map((name) => `baseline/${name}`),
    source: `builtin:scenes=${FURNISHED_ROOMS}`,
    sample: QUESTIONS,
    logDir,
  })
  if (process.exitCode === EXIT.interrupted) return
  const looked = await (await Store.open(logDir)).openRun('latest')
  await renderRoom(looked, logDir)
  say('\n2. Read: explore rooms on a grid, in words (space/text)')
  await run(['space/text'], {
    model: TEXT_BASELINES.map((name) => `baseline/${name}`),
    limit: String(scenes),
    logDir,
  })
  if (process.exitCode === EXIT.interrupted) return
  print(`
${bold('Next')}
  # Suites, sources, baselines and models
  npx sightline list
  # A real model (needs OPENAI_API_KEY)
  npx sightline run vsi/video --model openai/gpt-5.2 --sample 20
`)
  if (view && process.stdin.isTTY && process.stdout.isTTY) await viewUntilStopped(logDir, looked.header.id)
  else print(`${bold('See the walk')}: ${shellCommand(viewCommand(looked.header.id, logDir))}`)
}

function viewCommand(run: string, logDir: string): string[] {
  return ['npx', 'sightline', 'view', run, ...(logDir === DEFAULT_STORE ? [] : ['--log-dir', logDir])]
}

const builtinRoom = z.object({
  sample: z.object({ scene: z.object({ kind: z.literal('builtin'), scene: z.enum(SCENE_KINDS), seed: z.int() }) }),
})

/** Writes a dollhouse view of the first room that was walked through. */
async function renderRoom(looked: Awaited<ReturnType<Store['openRun']>>, logDir: string): Promise<void> {
  const [line] = await looked.episodes()
  const { scene } = builtinRoom.parse((await looked.events(line!))[0]).sample
  const description = join(logDir, `${ROOM_FILE}.json`)
  await newScene({ seed: scene.seed, kind: scene.scene, output: description })
  const look = { dollhouse: true, size: { width: 960, height: 720 }, fov: 60, antialias: true }
  await showScene(description, { ...look, output: join(logDir, `${ROOM_FILE}.png`) }, join(logDir, 'scenes'))
}

async function viewUntilStopped(logDir: string, run: string): Promise<void> {
  try {
    const serving = await startViewer(await Store.open(logDir))
    print(`${bold('See the walk')}: ${serving.link}#/runs/${run}`)
    await untilStopped(serving)
  } catch (error) {
    // The demo itself succeeded: report the problem without failing.
    if (!(error instanceof UserError)) throw error
    say(`${error.message} ${error.hint ?? ''}`)
  }
}
