/**
 * `npm run conformance [-- --dir DIR]`: runs the matching profile of the matching suite on every case of the oracle
 * files and prints agreeing/total for each, then reads replies in the manner of real models and prints the share that is
 * read right. Fails on any disagreement that docs/deviations.md does not explain, and on a share below its bar.
 */
import { fileURLToPath } from 'node:url'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { verdictsOn } from './agreement/check.ts'
import { deviationHeadings } from './agreement/deviations.ts'
import { checks } from './checks.ts'
import { corpora } from './replies/corpora.ts'
import { readCorpus } from './replies/corpus.ts'

const SHOWN_PER_FILE = 10
const SHOWN_CHARACTERS = 120
const USAGE = `Usage: npm run conformance -- [options]

Checks the published profiles against the recorded results of the published code, and the readers against replies in
the manner of real models.

Options:
  --dir DIR   folder with the oracle files (default: conformance/oracle)
  --verbose   print every disagreement
  -h, --help  show this help`

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { dir: { type: 'string' }, verbose: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const folder = values.dir ? resolve(values.dir) : join(root, 'conformance/oracle')
const explained = await deviationHeadings()

let unexplained = 0
let missing = 0
for (const [name, check] of Object.entries(checks)) {
  const text = await readText(join(folder, name))
  if (text === undefined) {
    console.log(`${name.padEnd(36)} not in ${values.dir ?? 'conformance/oracle'}`)
    missing += 1
    continue
  }
  const sibling = async (other: string): Promise<unknown> => {
    const path = join(folder, name, '..', other)
    const found = (await readJson(path)) ?? (await readJson(join(root, 'conformance/oracle', name, '..', other)))
    if (found === undefined) throw new Error(`${name} refers to ${other}, which is not there`)
    return found
  }
  let total = 0
  let agreeing = 0
  let leftOut = 0
  const known = new Map<string, number>()
  const failures: string[] = []
  try {
    for await (const verdict of verdictsOn(check, JSON.parse(text), sibling, text)) {
      if (verdict.leftOut) {
        leftOut += 1
        continue
      }
      total += 1
      if (verdict.agrees) agreeing += 1
      else if (verdict.deviation && explained.has(verdict.deviation)) {
        known.set(verdict.deviation, (known.get(verdict.deviation) ?? 0) + 1)
      } else failures.push(`${verdict.where}: ${verdict.detail ?? 'disagrees'}`)
    }
  } catch (error) {
    // One file that cannot be compared to its end must not keep the others from being compared.
    total += 1
    failures.push(`the rest is not compared: ${error instanceof Error ? error.message : String(error)}`)
  }
  const note = [...known].map(([deviation, count]) => `, ${count} by ${deviation}`).join('')
  const incomplete = leftOut === 0 ? '' : `, ${leftOut} left out for lack of a column`
  console.log(`${name.padEnd(36)} ${agreeing}/${total}${note}${incomplete}`)
  for (const failure of failures.slice(0, values.verbose ? failures.length : SHOWN_PER_FILE))
    console.log(`    ${failure}`)
  if (failures.length > SHOWN_PER_FILE && !values.verbose)
    console.log(`    … and ${failures.length - SHOWN_PER_FILE} more`)
  unexplained += failures.length
}
if (missing === Object.keys(checks).length) {
  console.error(`None of the oracle files is in ${folder}.`)
  process.exit(2)
}
console.log(
  unexplained === 0 ? '\nAll cases agree or are explained.' : `\n${unexplained} cases disagree without explanation.`,
)

console.log('\nReplies in the manner of real models, read as a careful person reads them:')
let below = 0
for (const [name, corpus] of Object.entries(corpora)) {
  const { total, right, misread, holds } = await readCorpus(corpus)
  const bar = `${holds ? 'holds' : 'FAILS'} ≥ ${corpus.bar * 100}%`
  console.log(`${name.padEnd(36)} ${right}/${total} (${((100 * right) / total).toFixed(1)}%) ${bar}`)
  for (const { manner, reply, difference } of misread.slice(0, values.verbose ? misread.length : SHOWN_PER_FILE))
    console.log(`    ${manner}: ${JSON.stringify(reply.slice(0, SHOWN_CHARACTERS))} ${difference}`)
  if (!holds) below += 1
}
process.exit(unexplained === 0 && below === 0 ? 0 : 1)

async function readJson(path: string): Promise<unknown> {
  const text = await readText(path)
  return text === undefined ? undefined : JSON.parse(text)
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}
