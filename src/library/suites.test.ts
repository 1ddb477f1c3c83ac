import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { codeHash } from './module-code.ts'
import { report, score } from './results.ts'
import { run } from './run.ts'
import { suiteFinder } from './suites.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline suites '))
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const suite = (name: string, more = ''): string => `
import { defineSuite, oneOf, user } from 'sightline/suite'
${more}
export default defineSuite({
  name: '${name}',
  version: 1,
  samples: [{ side: 'heads' as const }, { side: 'tails' as const }],
  ask: (sample) => [user\`It shows \${sample.side}. What does it show?\`],
  read: oneOf('heads', 'tails'),
  truth: (sample) => sample.side,
})
`

async function write(path: string, content: string): Promise<string> {
  const file = join(folder, path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, content)
  return file
}

describe('a suite from elsewhere', () => {
  test('is loaded from a TypeScript file', async () => {
    await write('coins.ts', suite('coins'))
    const { suite: found, module, loadFrom } = await suiteFinder([], folder).find('./coins.ts')
    expect(found.name).toBe('coins')
    expect(module).toMatchObject({ from: './coins.ts', hash: expect.stringMatching(/^[\da-f]{16}$/) })
    expect(loadFrom).toBe(join(folder, 'coins.ts'))
  })

  test('is loaded from a package, which need not have Sightline beside it', async () => {
    await write(
      'node_modules/their-bench/package.json',
      '{"name":"their-bench","type":"module","exports":{"./suite":"./suite.js"}}',
    )
    await write('node_modules/their-bench/suite.js', suite('theirs').replaceAll(' as const', ''))
    const finder = suiteFinder([], folder)
    expect((await finder.find('their-bench/suite')).suite.name).toBe('theirs')
    await expect(finder.find('their-bench/other')).rejects.toThrow('no suite called')
  })

  test('is found by its name where the config lists it', async () => {
    await write('coins.ts', suite('family/coins'))
    const finder = suiteFinder(['./coins.ts'], folder)
    expect(await finder.names()).toContain('family/coins')
    expect((await finder.find('family/coins')).suite.name).toBe('family/coins')
  })

  it.each([
    ['./nothing.ts', 'There is no file ./nothing.ts'],
    ['nothing', 'no suite called "nothing"'],
    ['./empty.ts', 'exports no suite'],
    ['./broken.ts', 'cannot be loaded'],
    ['./taken.ts', 'already a suite called "space/text"'],
    ['./family.ts', 'already a suite called "vsi/explore"'],
    ['./two.ts', 'has 2 suites: one, two'],
    ['./two.ts#three', 'has no suite called "three"'],
  ])('%s is refused: %s', async (spec, problem) => {
    await write('empty.ts', 'export const x = 1')
    await write('broken.ts', 'export default {')
    await write('taken.ts', suite('space/text'))
    await write('family.ts', suite('vsi/mine'))
    await write(
      'two.ts',
      `${suite('one').replace('export default', 'export const one =')}export const two = { ...one, name: 'two' }`,
    )
    await expect(suiteFinder([], folder).find(spec)).rejects.toThrow(problem)
  })

  test('one of several is named after the file', async () => {
    await write(
      'two.ts',
      `${suite('one').replace('export default', 'export const one =')}export const two = { ...one, name: 'two' }`,
    )
    expect((await suiteFinder([], folder).find('./two.ts#two')).suite.name).toBe('two')
  })

  test('its hash is that of everything it is made of, wherever it lies', async () => {
    const more =
      "import { words } from './words.ts'\nconst texts = new URL('./prompts/', import.meta.url)\nvoid [words, texts]"
    for (const place of ['a', 'b']) {
      await write(`${place}/coins.ts`, suite('coins', more))
      await write(`${place}/words.ts`, 'export const words = 1')
      await write(`${place}/prompts/ask.txt`, 'Heads or tails?')
      await write(`${place}/notes.txt`, place)
    }
    const [a, b] = [join(folder, 'a/coins.ts'), join(folder, 'b/coins.ts')]
    const hash = await codeHash(a)
    expect(await codeHash(b)).toBe(hash)
    await write('b/prompts/ask.txt', 'Tails or heads?')
    expect(await codeHash(b)).not.toBe(hash)
    await write('a/words.ts', 'export const words = 2')
    expect(await codeHash(a)).not.toBe(hash)
  })
})

describe('a run of such a suite', () => {
  test('is reported and scored again by its name, after the suite was run here', async () => {
    const file = await write('coins.ts', suite('coins'))
    const store = join(folder, 'store')
    const { id, report: first } = await run(file, { model: 'baseline/oracle', store })
    expect(first.rows[0]).toMatchObject({ key: 'correct', value: 1 })
    expect(await report(id, { store })).toEqual(first)
    expect((await score(id, { store })).episodes).toBe(2)
  })

  test('never says which code is loaded: a store from elsewhere names a suite, and no more', async () => {
    const store = join(folder, 'store')
    const trap = join(folder, 'sprung')
    const file = await write(
      'evil.ts',
      suite('evil', `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(trap)}, '')`),
    )
    const { id } = await run(file, { model: 'baseline/oracle', store })
    await rm(trap)
    // Another machine, or another user: the suite was never run there.
    vi.stubEnv('XDG_STATE_HOME', join(folder, 'elsewhere'))
    await expect(report(id, { store })).rejects.toThrow('is not known on this machine')
    await expect(readFile(trap)).rejects.toThrow('ENOENT')
    await expect(report(id, { store, suites: [file] })).resolves.toMatchObject({ suite: 'evil' })
  })
})
