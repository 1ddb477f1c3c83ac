/**
 * `npm run audit:write [-- SUITE or FAMILY...]`: audits built-in suites and writes src/suites/FAMILY/audit.json, the floors
 * and ceilings that reports print, then the table of docs/validity.md. Each suite is written as soon as it is done, next to
 * what the file has of others. `-- --table` only makes the table.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { audit } from '../src/library/audit.ts'
import { familyOf } from '../src/library/suites.ts'
import { type Audit, auditFile, roundedAudit } from '../src/report/audit.ts'
import { auditLayout, verdicts } from '../src/report/render/audit.ts'
import { renderTable } from '../src/report/render/text-table.ts'
import { builtinSuite, suiteNames } from '../src/suites/index.ts'
import { auditedSamples, isChosen } from './audit/samples.ts'
import { floorTable } from './audit/table.ts'

const fileOf = (family: string): URL => new URL(`../src/suites/${family}/audit.json`, import.meta.url)
const readAudits = async (family: string): Promise<Audit[]> =>
  auditFile.parse(JSON.parse(await readFile(fileOf(family), 'utf8')))

const names = suiteNames()
const given = process.argv.slice(2)
const suites = await Promise.all(names.map((name) => builtinSuite(name)))
const audited = suites.filter((suite) => suite.audit !== undefined)
for (const suite of given.includes('--table') ? [] : audited.filter(({ name }) => isChosen(name, given))) {
  const start = Date.now()
  const measured = roundedAudit(await audit(suite, auditedSamples(suite.name)))
  const minutes = ((Date.now() - start) / 60_000).toFixed(1)
  console.log(`${renderTable(auditLayout(measured))}${verdicts(measured).join('\n')}\n${minutes} minutes\n`)
  const family = familyOf(suite.name)
  const others = (await readAudits(family)).filter((each) => each.suite !== suite.name)
  const all = [...others, measured].sort((a, b) => names.indexOf(a.suite) - names.indexOf(b.suite))
  await writeFile(fileOf(family), `${JSON.stringify(all, null, 2)}\n`)
}

const page = new URL('../docs/validity.md', import.meta.url)
const families = [...new Set(audited.map(({ name }) => familyOf(name)))]
const table = floorTable((await Promise.all(families.map(readAudits))).flat())
const text = await readFile(page, 'utf8')
await writeFile(
  page,
  text.replace(/<!-- floors -->[^]*<!-- \/floors -->/, () => `<!-- floors -->\n\n${table}\n\n<!-- /floors -->`),
)
