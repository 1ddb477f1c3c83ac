import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { codeHash } from './module-code.ts'
import { report, score } from './results.ts'
import { run } from './run.ts'
import { suiteFault } from './suite-fault.ts'
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

it('lists the suites of a family', async () => {
  await expect(suiteFinder([], folder).find('vsi')).rejects.toThrow(
    '"vsi" is a family. Use vsi/explore, vsi/video or vsi/blind.',
  )
})

describe('a custom suite', () => {
  test('is loaded from a TypeScript file', async () => {
    await write('coins.ts', suite('coins'))
    const { suite: found, module, loadFrom } = await suiteFinder([], folder).find('./coins.ts')
    expect(found.name).toBe('coins')
    expect(module).toMatchObject({ from: './coins.ts', hash: expect.stringMatching(/^[\da-f]{16}$/) })
    expect(loadFrom).toBe(join(folder, 'coins.ts'))
  })

  test('is loaded from a package that does not have Sightline installed', async () => {
    await write(
      'node_modules/their-bench/package.json',
      '{"name":"their-bench","type":"module","exports":{"./suite":"./suite.js"}}',
    )
    await write('node_modules/their-bench/suite.js', suite('theirs').replaceAll(' as const', ''))
    const finder = suiteFinder([], folder)
    expect((await finder.find('their-bench/suite')).suite.name).toBe('theirs')
    await expect(finder.find('their-bench/other')).rejects.toThrow('Unknown suite')
  })

  test('is loaded from a question suite in a package', async () => {
    await write(
      'node_modules/@lab/bench/package.json',
      '{"name":"@lab/bench","exports":{"./rooms.yaml":"./rooms.yaml"}}',
    )
    const file =
      'format: 1\nname: rooms\ndata: { files: rooms.csv }\ncolumns: { answer: a }\nanswer: { kind: number }\n'
    await write('node_modules/@lab/bench/rooms.yaml', file)
    const finder = suiteFinder([], folder)
    expect((await finder.find('@lab/bench/rooms.yaml')).suite.name).toBe('rooms')
    await expect(finder.find('@lab/bench/other.yaml')).rejects.toThrow('File not found')
  })

  test('is suggested if its file is in the folder', async () => {
    await write('coins.ts', suite('coins'))
    await expect(suiteFinder([], folder).find('coins')).rejects.toMatchObject({
      message: 'Unknown suite "coins".',
      hint: 'Did you mean ./coins.ts?',
    })
  })

  test('is found by name if the config lists it', async () => {
    await write('coins.ts', suite('family/coins'))
    const finder = suiteFinder(['./coins.ts', './coins.ts'], folder)
    expect((await finder.names()).filter((name) => name === 'family/coins')).toHaveLength(1)
    expect((await finder.find('family/coins')).suite.name).toBe('family/coins')
  })

  it.each([
    ['./nothing.ts', 'File not found: ./nothing.ts'],
    ['nothing', 'Unknown suite "nothing"'],
    ['./empty.ts', 'exports no suite'],
    ['./broken.ts', 'Cannot load ./broken.ts'],
    ['./taken.ts', 'already has a suite "space/text"'],
    ['./family.ts', 'already has a suite "vsi/explore"'],
    ['./two.ts', 'has 2 suites: one, two'],
    ['./two.ts#three', 'has no suite "three"'],
  ])('%s is rejected: %s', async (spec, problem) => {
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

  test('is chosen by name from a file with several', async () => {
    await write(
      'two.ts',
      `${suite('one').replace('export default', 'export const one =')}export const two = { ...one, name: 'two' }`,
    )
    expect((await suiteFinder([], folder).find('./two.ts#two')).suite.name).toBe('two')
  })

  test('has a hash of all its files, wherever they are', async () => {
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

describe('a run of a custom suite', () => {
  test('is reported and rescored by name after the suite was run here', async () => {
    const file = await write('coins.ts', suite('coins'))
    const store = join(folder, 'store')
    const { id, report: first } = await run(file, { model: 'baseline/oracle', store })
    expect(first.rows[0]).toMatchObject({ key: 'correct', value: 1 })
    expect(await report(id, { store })).toEqual(first)
    expect((await score(id, { store })).episodes).toBe(2)
  })

  test('does not decide which code is loaded: a store from elsewhere only names the suite', async () => {
    const store = join(folder, 'store')
    const trap = join(folder, 'sprung')
    const file = await write(
      'evil.ts',
      suite('evil', `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(trap)}, '')`),
    )
    const { id } = await run(file, { model: 'baseline/oracle', store })
    await rm(trap)
    // Another machine or user, where the suite was never run.
    vi.stubEnv('XDG_STATE_HOME', join(folder, 'elsewhere'))
    await expect(report(id, { store })).rejects.toThrow('is not known on this machine')
    await expect(readFile(trap)).rejects.toThrow('ENOENT')
    await expect(report(id, { store, suites: [file] })).resolves.toMatchObject({ suite: 'evil' })
  })

  test('that fails names the suite and the line of the fault', async () => {
    await write(
      'helper.ts',
      'export function grade(sample: { missing?: { grade: number } }): number {\n  return sample.missing!.grade\n}',
    )
    const file = await write(
      'buggy.ts',
      suite('buggy', "import { grade } from './helper.ts'").replace(
        'truth:',
        'score: (sample) => ({ correct: grade(sample) }),\n  truth:',
      ),
    )
    const store = join(folder, 'store')
    const error = await run(file, { model: 'baseline/oracle', store, threads: 0 }).catch((thrown: unknown) => thrown)
    expect(suiteFault(error)).toMatchObject({
      suite: file,
      message: expect.stringContaining("reading 'grade'"),
      at: expect.stringMatching(/helper\.ts:2:\d+$/),
      frames: [expect.stringContaining('helper.ts'), expect.stringContaining('buggy.ts')],
    })
  })
})

test('an error outside custom suites is not blamed on one', () => {
  expect(suiteFault(new TypeError('x is not a function'))).toBeNull()
  expect(suiteFault('thrown text')).toBeNull()
})
