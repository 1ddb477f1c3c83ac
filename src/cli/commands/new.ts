/** `sightline new suite|questions NAME`: writes a working suite as a starting point. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { containedFile } from '../../base/contained.ts'
import { UserError } from '../../base/errors.ts'
import { print } from '../terminal/output.ts'
import { writeOutput } from '../results/output-file.ts'

const NAME = /^[a-z][a-z0-9-]*$/

export async function newSuite(name: string): Promise<void> {
  const files = [`${name}.ts`, `${name}.test.js`]
  checkNew(name, files)
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

export async function newQuestions(name: string, data: string): Promise<void> {
  const file = `${name}.yaml`
  checkNew(name, [file])
  const path = await containedFile(process.cwd(), data).catch((error: unknown) => {
    throw new UserError(`${data} is not a file of this folder.`, {
      hint: 'A suite reads only files in its own folder: run this command there, and give a relative path.',
      cause: error,
    })
  })
  const [{ draftFile }, { openTable }] = await Promise.all([
    import('../../questions/draft.ts'),
    import('../../base/tables/rows.ts'),
  ])
  await writeOutput(file, await draftFile(name, await openTable(path, data), data.replace(/^\.\//, ''), process.cwd()))
  print(`
Check it      npx sightline check ./${file}
Run it        npx sightline run ./${file} --model baseline/random --model baseline/oracle
With a model  npx sightline run ./${file} --model openai/gpt-5.2 --limit 20
`)
}

function checkNew(name: string, files: readonly string[]): void {
  if (!NAME.test(name)) throw new UserError(`Invalid suite name "${name}".`, { hint: 'Use a-z, 0-9 and -.' })
  const taken = files.find((file) => existsSync(file))
  if (taken !== undefined) throw new UserError(`${taken} already exists.`, { hint: 'Choose another name.' })
}
