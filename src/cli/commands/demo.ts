/** `sightline demo`: what a first look at Sightline is. Everything in it can be typed by hand; it says how. */
import { UserError } from '../../base/errors.ts'
import { Store } from '../../store/store.ts'
import { bold, print, say } from '../terminal/output.ts'
import { run } from './run.ts'
import { startViewer, untilStopped } from './view.ts'

const PLAYERS = ['random', 'constant', 'scout', 'oracle']

interface DemoOptions {
  scenes: number
  logDir: string
  /** Look at the runs in the browser afterwards? Only where somebody sits at a terminal. */
  view: boolean
}

export async function demo(options: DemoOptions): Promise<void> {
  say('Theory of Space, in text: explore rooms on a grid, then answer nine kinds of question about them.')
  say('Built-in rooms and built-in players; no key, no network.\n')
  await run(['space/text'], {
    model: PLAYERS.map((name) => `baseline/${name}`),
    limit: String(options.scenes),
    logDir: options.logDir,
  })
  print(`
${bold('Next')}
  npx sightline list                                              what can be measured
  npx sightline run space/text --model openai/gpt-5.2 --limit 20  a real model (needs OPENAI_API_KEY)
  npx sightline view                                              all runs in the browser, episode by episode
  npx sightline report latest --format html -o report.html        the last run as a page
  npx sightline scene new --seed 7 --kind flat -o flat.json       a furnished flat …
  npx sightline scene show flat.json -o view.png                  … and a picture of it
`)
  if (options.view && process.stdin.isTTY && process.stdout.isTTY) await look(options.logDir)
}

/** The runs of the demo in the browser, until Ctrl-C. */
async function look(logDir: string): Promise<void> {
  try {
    const serving = await startViewer(await Store.open(logDir))
    print(`${bold('Look at every episode')}: ${serving.address}`)
    await untilStopped(serving)
  } catch (error) {
    // The tables are there all the same.
    if (!(error instanceof UserError)) throw error
    say(`${error.message} ${error.hint ?? ''}`)
  }
}
