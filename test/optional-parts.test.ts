/** What works without optional parts, and what the rest says. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPTIONAL_PARTS, type OptionalPart } from '../src/base/optional-parts.ts'
import { makeFilm } from '../src/suites/vbench/baselines/films/film.ts'
import { type Ended, sightline } from './cli/cli.ts'

const WITHOUT = new URL('support/without-optional-parts.js', import.meta.url).href

let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sightline-parts-'))
})
afterAll(() => rm(cwd, { recursive: true }))

function bare(...args: string[]): Promise<Ended> {
  // Without a PATH, programs such as ffmpeg are missing too.
  return sightline(args, { cwd, env: { NODE_OPTIONS: `--import=${WITHOUT}`, PATH: '' } })
}

describe('without optional parts', { concurrent: true }, () => {
  it('lists, runs and reports what needs none', async () => {
    const [list, run] = await Promise.all([
      bare('list'),
      bare('run', 'space/text', '-m', 'baseline/random', '--limit', '1', '--log-dir', 'text'),
    ])
    expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining('vbench') as string })
    expect(run).toMatchObject({ code: 0 })
    expect(await bare('report', 'latest', '--log-dir', 'text')).toMatchObject({ code: 0 })
  })

  it.each([
    ['space/vision', 'baseline/random', 'sharp', /^sharp does not work on this machine: .*\. It is needed for images/m],
    [
      'vbench',
      'baseline/still',
      '@mediabunny/server',
      /^No video decoder or encoder available: @mediabunny\/server is not installed; ffmpeg/m,
    ],
  ] as const)('%s says what is missing and how to get it', async (suite, model, part, message) => {
    const { code, stderr } = await bare('run', suite, '-m', model, '--limit', '1', '--log-dir', suite)
    expect(stderr).toMatch(message)
    expect(stderr).toContain(`with: ${OPTIONAL_PARTS[part].install}\n`)
    expect(stderr).not.toMatch(/\n +at |bug in Sightline/)
    expect(code).toBe(2)
  })

  it('vbench score measures videos that no decoder could read once there is one', async () => {
    await mkdir(join(cwd, 'videos'))
    await writeFile(join(cwd, 'videos', 'a red vase-0.mp4'), await makeFilm('a red vase', 1))
    const score = 'vbench score --custom --videos videos -d imaging_quality --json'.split(' ')
    const [before, after] = [await bare(...score), await sightline(score, { cwd })]
    const found = [before, after].map(({ stdout }) => JSON.parse(stdout) as { run: string; dimensions: unknown[] })
    expect(found.map(({ dimensions }) => dimensions[0])).toMatchObject([{ videos: 0 }, { videos: 1 }])
    expect([before.code, after.code]).toEqual([1, 0])
    expect(found[1]!.run).toBe(found[0]!.run)
  })

  it('doctor lists every part with what it is for and a command', async () => {
    const { code, stdout } = await bare('doctor', '--json')
    expect(code).toBe(0)
    const { findings } = JSON.parse(stdout) as { findings: { what: string }[] }
    expect(findings.filter(({ what }) => what in OPTIONAL_PARTS)).toEqual(
      Object.entries<OptionalPart>(OPTIONAL_PARTS).map(([what, part]) => ({
        what,
        verdict: 'missing',
        words: expect.stringMatching(/^not installed$|^does not work on this machine: ./) as string,
        ...part,
      })),
    )
  })
})
