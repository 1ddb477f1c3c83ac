/**
 * `npm run audit:write [-- FAMILY...]`: audits the built-in suites and writes src/suites/FAMILY/audit.json, the floors and
 * ceilings that reports print.
 */
import { writeFile } from 'node:fs/promises'
import { audit } from '../src/library/audit.ts'
import { familyOf } from '../src/library/suites.ts'
import { type Audit, roundedAudit } from '../src/report/audit.ts'
import { auditLayout, verdicts } from '../src/report/render/audit.ts'
import { renderTable } from '../src/report/render/text-table.ts'
import { builtinSuite, suiteNames } from '../src/suites/index.ts'

/** Not the default seed: the numbers must hold for scenes that nothing was tuned on. */
const SEED = 90_210

const families = process.argv.slice(2)
const found = new Map<string, Audit[]>()
for (const name of suiteNames()) {
  const family = familyOf(name)
  const suite = await builtinSuite(name)
  if (!suite.audit || (families.length > 0 && !families.includes(family))) continue
  const audited = await audit(suite, { seed: SEED })
  console.log(`${renderTable(auditLayout(audited))}${verdicts(audited).join('\n')}\n`)
  found.set(family, [...(found.get(family) ?? []), roundedAudit(audited)])
}
for (const [family, audits] of found) {
  await writeFile(
    new URL(`../src/suites/${family}/audit.json`, import.meta.url),
    `${JSON.stringify(audits, null, 2)}\n`,
  )
}
