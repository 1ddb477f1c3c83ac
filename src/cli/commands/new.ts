/** `sightline new suite NAME`: writes a working suite and its test as a starting point. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { UserError } from '../../base/errors.ts'
import { print } from '../terminal/output.ts'
import { writeOutput } from '../results/output-file.ts'

const NAME = /^[a-z][a-z0-9-]*$/

export async function newSuite(name: string): Promise<void> {
  if (!NAME.test(name)) throw new UserError(`Invalid suite name "${name}".`, { hint: 'Use a-z, 0-9 and -.' })
  const files = [`${name}.ts`, `${name}.test.js`]
  const taken = files.find((file) => existsSync(file))
  if (taken !== undefined) throw new UserError(`${taken} already exists.`, { hint: 'Choose another name.' })
  for (const file of files) {
    const example = await readFile(
      new URL(`../../../examples/${file.replace(name, 'bearings')}`, import.meta.url),
      'utf8',
    )
    await writeOutput(file, example.replaceAll('bearings', name))
  }
  print(`
Run it        npx sightline run ./${name}.ts --model baseline/random --model baseline/oracle
With a model  npx sightline run ./${name}.ts --model openai/gpt-5.2 --limit 20
Test it       node --test ${name}.test.js
`)
}
