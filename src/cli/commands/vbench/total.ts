/** `sightline vbench total` */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, UserError } from '../../../base/errors.ts'
import { NONE } from '../../../report/format.ts'
import { listZip, readZip } from '../../../report/import/zip.ts'
import { type Dimension, DIMENSIONS, QUALITY, SEMANTIC, spacedName } from '../../../suites/vbench/dimensions.ts'
import { importResults, type ResultFile } from '../../../suites/vbench/totals/published-results.ts'
import { normalised, publishedTotals, strictTotals } from '../../../suites/vbench/totals/totals.ts'
import { listFolder } from '../../../suites/vbench/videos/check.ts'
import { columns, dim, plain, print, say } from '../../output.ts'

export async function total(paths: string[], options: { missing: 'refuse' | 'zero'; json?: boolean }): Promise<void> {
  const files = (await Promise.all(paths.map((path) => resultFiles(path)))).flat()
  const { values, unknown, notes } = importResults(files)
  for (const note of notes) say(dim(plain(note)))
  if (unknown.length > 0) say(plain(`not of VBench, left out: ${unknown.slice(0, 20).join(', ')}`))
  const raw = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value])) as Partial<
    Record<Dimension, number | null>
  >
  if (Object.keys(raw).length === 0) throw new UserError('There is no result of VBench in these files.')
  const totals = options.missing === 'zero' ? publishedTotals(raw) : strictTotals(raw)
  const absent = DIMENSIONS.filter((name) => typeof raw[name] !== 'number')
  if (options.json) {
    const { quality, semantic, total: overall } = totals
    print(JSON.stringify({ quality, semantic, total: overall, dimensions: raw, missing: absent }, null, 1))
    return
  }
  const percent = (value: number | null | undefined) =>
    typeof value === 'number' && Number.isFinite(value) ? (value * 100).toFixed(2) : NONE
  const line = (name: Dimension) => [
    `  ${spacedName(name)}`,
    percent(raw[name]),
    typeof raw[name] === 'number' ? percent(normalised(name, raw[name])) : NONE,
  ]
  print(columns([['', 'score', 'normalised'], ['Quality', percent(totals.quality), ''], ...QUALITY.map(line)], ''))
  print(columns([['Semantic', percent(totals.semantic), ''], ...SEMANTIC.map(line)], ''))
  print(`Total     ${percent(totals.total)}`)
  if (absent.length > 0) {
    const how =
      options.missing === 'zero' ? 'counted as 0, as the published script does' : 'so there is no total of them'
    print(`\nMissing, ${how}: ${absent.map(spacedName).join(', ')}`)
  }
}

/** Files of the published tool, a zip of them, a folder of them, or our own results.json. */
async function resultFiles(path: string): Promise<ResultFile[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UserError(`${path} cannot be read: ${messageOf(error)}`, { cause: error })
  })
  if (found.isDirectory()) {
    const names = (await listFolder(path)).filter(({ kind, name }) => kind === 'file' && /\.(json|zip)$/i.test(name))
    const own = names.filter(({ name }) => name.endsWith('_eval_results.json'))
    return (await Promise.all((own.length > 0 ? own : names).map((each) => resultFiles(join(path, each.path))))).flat()
  }
  const bytes = await readFile(path)
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    const entries = listZip(bytes, path).filter(({ name }) => name.endsWith('.json'))
    return [...readZip(bytes, entries, path)].map(([name, text]) => ({ path: name, text }))
  }
  return [{ path, text: ownResults(bytes.toString('utf8')) }]
}

/** Our own file says of every value how it came about: only exact ones go into a total. */
function ownResults(text: string): string {
  if (!text.includes('"dimensions"')) return text
  try {
    const value = JSON.parse(text) as { dimensions?: { dimension: string; value: number | null; tier: string }[] }
    if (!Array.isArray(value.dimensions)) return text
    const exact = value.dimensions.filter(({ tier }) => tier === 'exact')
    return JSON.stringify(Object.fromEntries(exact.map(({ dimension, value: score }) => [dimension, [score, []]])))
  } catch {
    return text
  }
}
