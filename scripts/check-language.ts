/** `npm run check:language [-- FILE…]`: finds banned turns of phrase in docs, help, messages, comments and test titles. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { BANNED } from './language/banned.ts'

/** Quoted text: published prompts, data of others, generated pages, and the list itself. */
const QUOTED =
  /^(scripts\/language\/|src\/cli\/options\/renamed|src\/suites\/[^/]+\/(prompts|published)\/|conformance\/|test\/fixtures\/|docs\/(api|reference)\/|docs\/prompt-history\.md|CHANGELOG\.md|CODE_OF_CONDUCT|LICENSE|NOTICE)|package-lock\.json$|\.snap$/
const CHECKED = /\.(md|ts|tsx|js|ya?ml)$/
/** A line that quotes someone else says so. */
const ALLOWED = 'language: quoted'

const given = process.argv.slice(2)
const files = (
  given.length > 0
    ? given
    : execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).split('\n')
).filter((file) => CHECKED.test(file) && !QUOTED.test(file))

let found = 0
for (const file of files) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.includes(ALLOWED)) continue
    for (const { pattern, better } of BANNED) {
      const match = pattern.exec(line)
      if (!match) continue
      found++
      process.stdout.write(`${file}:${index + 1}: "${match[0]}" → ${better}\n`)
    }
  }
}
process.stdout.write(found === 0 ? 'No banned phrases.\n' : `${found} banned ${found === 1 ? 'phrase' : 'phrases'}.\n`)
process.exitCode = found === 0 ? 0 : 1
