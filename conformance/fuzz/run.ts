/** `npm run fuzz`: random and adversarial cases through our published profiles and through the published code. */
import { parseArgs } from 'node:util'
import { deviationHeadings } from '../agreement/deviations.ts'
import { missingPart, READERS } from './files/readers.ts'
import { describeResult, fuzzFiles } from './files/run.ts'
import { fuzz } from './fuzz.ts'
import { targets } from './targets.ts'

const SHOWN = 10
const USAGE = `Usage: npm run fuzz -- [TARGET...] [options]
       npm run fuzz -- files [READER...] [options]

Compares the published profiles with the published code on random cases. The environment variable PUBLISHED is a folder
with checkouts of that code, each named as its repository. Without it, only ours runs.

With \`files\`, damages small files and gives them to every reader of files that others wrote: none may end with anything but
an error for people, take 5 seconds or 1 GB.

Targets: ${Object.keys(targets).join(', ')}
Readers: ${Object.keys(READERS).join(', ')}

Options:
  --cases N   cases per target or reader (default: 1000)
  --seed N    seed of the cases (default: 0)
  --verbose   print every disagreement
  -h, --help  show this help`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '0' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const isFiles = positionals[0] === 'files'
const names = isFiles ? positionals.slice(1) : positionals
const unknown = names.filter((name) => !(name in (isFiles ? READERS : targets)))
const [cases, seed] = [Number(values.cases), Number(values.seed)]
if (unknown.length > 0 || !Number.isSafeInteger(cases) || cases < 1 || !Number.isSafeInteger(seed)) {
  console.error(unknown.length > 0 ? `Unknown target: ${unknown.join(', ')}\n` : 'Invalid --cases or --seed.\n')
  console.error(USAGE)
  process.exit(2)
}

if (isFiles) {
  let failed = 0
  for (const name of names.length > 0 ? names : Object.keys(READERS)) {
    const missing = await missingPart(READERS[name]!)
    if (missing !== null) {
      console.log(`${name.padEnd(20)} skipped: ${missing}`)
      continue
    }
    const result = await fuzzFiles(name, cases, seed)
    console.log(describeResult(name, result))
    for (const { index, what } of result.failures.slice(0, values.verbose ? Infinity : SHOWN))
      console.log(`    file ${index}: ${what.split('\n').slice(0, 4).join(' | ')}`)
    failed += result.failures.length
  }
  process.exit(failed === 0 ? 0 : 1)
}

const headings = await deviationHeadings()
let unexplained = 0
for (const [name, target] of Object.entries(targets)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const { agreeing, explained, disagreements } = await fuzz(name, target, {
    cases,
    seed,
    published: process.env['PUBLISHED'],
  })
  const unnamed = [...explained.keys()].filter((heading) => !headings.has(heading))
  if (unnamed.length > 0) throw new Error(`docs/deviations.md has no heading ${unnamed.join(', ')}`)
  const notes = [...explained].map(([heading, count]) => `, ${count} by ${heading}`).join('')
  console.log(
    agreeing === null
      ? `${name.padEnd(28)} ${cases} cases; ${target.checkout?.repository} is not in PUBLISHED`
      : `${name.padEnd(28)} ${agreeing}/${cases}${notes}`,
  )
  for (const { sample, detail } of disagreements.slice(0, values.verbose ? Infinity : SHOWN))
    console.log(`    ${detail}\n      ${JSON.stringify(sample)}`)
  unexplained += disagreements.length
}
process.exit(unexplained === 0 ? 0 : 1)
