/** `npm run bench -- NAME [--json]`: measures, prints a table, and fails if a result misses its bar. */
import { readdir } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { type Bench, type BenchResult, holds } from './harness.ts'

const NOT_BENCHES = new Set(['run.ts', 'harness.ts'])
const folder = new URL('.', import.meta.url)
const names = (await readdir(folder))
  .filter((file) => file.endsWith('.ts') && !NOT_BENCHES.has(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()

const usage = `Usage: npm run bench -- NAME... [--json]
       npm run bench -- validity [shipped] [SUITE or FAMILY or rooms]... [--json]
       npm run bench -- vbench [--models FOLDER] [--json]
       npm run bench -- vbench-truth [--models FOLDER] [--json]

Runs benchmarks, prints a table, and exits with 1 if a result misses its bar.

Benchmarks: ${names.join(', ')}

Options:
  --json      also print each result as a line of JSON
  -h, --help  show this help`

const args = process.argv.slice(2)
if (args.includes('--help') || args.includes('-h')) {
  console.log(usage)
  process.exit(0)
}
const json = args.includes('--json')
/** These take what comes after their name: the parts to measure, or options. */
const TAKES_ARGUMENTS = ['validity', 'vbench', 'vbench-truth']
const words = args.filter((arg) => arg !== '--json')
const [wanted, parts] = TAKES_ARGUMENTS.includes(words[0] ?? '') ? [words.slice(0, 1), words.slice(1)] : [words, []]
const unknown = wanted.filter((name) => !names.includes(name))
if (wanted.length === 0 || unknown.length > 0) {
  console.error(unknown.length > 0 ? `Unknown benchmark: ${unknown.join(', ')}\n` : 'No benchmark given.\n')
  console.error(usage)
  process.exit(2)
}

let allHeld = true
for (const name of wanted) {
  const module = (await import(new URL(`${name}.ts`, folder).href)) as { default: Bench }
  const result = await module.default(parts)
  allHeld = print(name, result) && allHeld
}
process.exit(allHeld ? 0 : 1)

function print(name: string, { figures, bars = {} }: BenchResult): boolean {
  const width = Math.max(...Object.keys(figures).map((key) => key.length))
  console.log(`\n${name}`)
  const judged: Record<string, { limit: number; ok: boolean }> = {}
  for (const [key, value] of Object.entries(figures)) {
    const bar = bars[key]
    let verdict = ''
    if (bar) {
      const ok = holds(bar, value)
      judged[key] = { limit: 'atLeast' in bar ? bar.atLeast : bar.atMost, ok }
      verdict = `  ${ok ? 'holds' : 'FAILS'} ${'atLeast' in bar ? '≥' : '≤'} ${judged[key].limit}`
    }
    console.log(`  ${key.padEnd(width)}  ${format(value).padStart(14)}${verdict}`)
  }
  if (json) {
    const machine = {
      node: process.version,
      arch: process.arch,
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 2 ** 30),
    }
    console.log(JSON.stringify({ bench: name, machine, figures, bars: judged }))
  }
  return Object.values(judged).every(({ ok }) => ok)
}

function format(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en')
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)
}
