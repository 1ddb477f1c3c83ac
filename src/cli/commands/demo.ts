/** `sightline demo`: what a first look at Sightline is. Everything in it can be typed by hand; it says how. */
import { bold, print, say } from '../output.ts'
import { run } from './run.ts'

const PLAYERS = ['random', 'constant', 'scout', 'oracle']

export async function demo(options: { scenes: number; logDir: string }): Promise<void> {
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
  npx sightline report latest --format html -o report.html        the last run as a page
  npx sightline scene new --seed 7 --kind flat -o flat.json       a furnished flat …
  npx sightline scene show flat.json -o view.png                  … and a picture of it
`)
}
