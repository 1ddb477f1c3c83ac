/** `sightline demo`: a first run without API keys, and the commands to try next. */
import { UserError } from '../../base/errors.ts'
import { Store } from '../../store/store.ts'
import { bold, print, say } from '../terminal/output.ts'
import { run } from './run.ts'
import { startViewer, untilStopped } from './view.ts'

const BASELINES = ['random', 'constant', 'scout', 'oracle']

interface DemoOptions {
  scenes: number
  logDir: string
  /** Start the viewer afterwards, if this is a terminal. */
  view: boolean
}

export async function demo(options: DemoOptions): Promise<void> {
  say('Theory of Space, text version: explore rooms on a grid, then answer questions about them.')
  say('Four baselines on built-in scenes. No API key, no network.\n')
  await run(['space/text'], {
    model: BASELINES.map((name) => `baseline/${name}`),
    limit: String(options.scenes),
    logDir: options.logDir,
  })
  print(`
${bold('Next')}
  # Test a real model (needs OPENAI_API_KEY)
  npx sightline run space/text --model openai/gpt-5.2 --limit 20
  # List suites, sources, baselines and models
  npx sightline list
  # View runs and episodes in the browser
  npx sightline view
  # Write an HTML report of the last run
  npx sightline report latest -o report.html
  # Generate a furnished flat and render it
  npx sightline scene new --seed 7 --kind flat -o flat.json
  npx sightline scene show flat.json -o view.png
`)
  if (options.view && process.stdin.isTTY && process.stdout.isTTY) await viewUntilStopped(options.logDir)
}

async function viewUntilStopped(logDir: string): Promise<void> {
  try {
    const serving = await startViewer(await Store.open(logDir))
    print(`${bold('View every episode')}: ${serving.address}`)
    await untilStopped(serving)
  } catch (error) {
    // The demo itself succeeded: report the problem without failing.
    if (!(error instanceof UserError)) throw error
    say(`${error.message} ${error.hint ?? ''}`)
  }
}
