import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { siblingModule } from '../base/thread.ts'
import type { MediaRef } from '../media/ref.ts'
import { ModelError, NO_USAGE, type Reply } from '../models/types.ts'
import { Store } from '../store/store.ts'
import { builtinSuite } from '../suites/index.ts'
import { writePartNet } from '../../test/support/suites/articulate/objects.ts'
import { RunStopped, StopControl } from '../engine/control.ts'
import { type EpisodeContext, type EpisodeJob, playEpisode } from '../engine/episode.ts'
import { DataFiles } from '../engine/data-files.ts'
import { suiteOptions } from '../engine/options.ts'
import { baselinePlayer, type Player } from '../engine/players.ts'
import { openSource, selectedSamples } from '../engine/source.ts'
import { EpisodeThreads } from '../engine/threads/pool.ts'

let folder: string
let pool: EpisodeThreads
let store: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-threads-'))
  store = await Store.open(folder)
  pool = new EpisodeThreads({ suites: siblingModule('./suites', import.meta.url), store: folder }, 2)
})
afterEach(async () => {
  await pool.close()
  await rm(folder, { recursive: true, force: true })
})

async function staged(
  suiteName: string,
  source: string,
  player: (suite: Awaited<ReturnType<typeof builtinSuite>>) => Player,
) {
  const suite = await builtinSuite(suiteName)
  const options = suiteOptions(suite, {})
  const profile = suite.profiles[0]
  const opened = await openSource(suite, source, options, { seed: 0, profile })
  const jobs: EpisodeJob[] = []
  for await (const { index, sample } of selectedSamples(opened, { from: 0, to: 2, ids: null })) {
    jobs.push({ index, sample, epoch: 1 })
  }
  const control = new StopControl()
  const kept: MediaRef[] = []
  let calls = 0
  const playing = player(suite)
  const context: EpisodeContext = {
    suite,
    options,
    profile,
    seed: 0,
    players: new Map([['player', playing]]),
    signal: control.signal,
    draining: control.draining,
    keep: (bytes, type, size) => store.media.keep(bytes, type, size),
    fileOf: (ref) => store.media.pathOf(ref),
    files: new DataFiles(opened.roots),
    onMedia: (ref) => kept.push(ref),
    beforeRequest: () => control.check(),
    onUsage: (usage) => (calls += usage.calls),
  }
  const brief = {
    id: 'run',
    suite: suiteName,
    suiteModule: null,
    options,
    profile,
    seed: 0,
    models: { player: playing.id },
    roots: opened.roots ?? {},
  }
  return { jobs, control, kept, context, brief, calls: () => calls }
}

const withoutTimes = (text: string): string => text.replaceAll(/"ms":\d+/g, '"ms":0')

/** A model that lives in the main thread. */
function model(ask: () => Promise<Reply>): Player {
  return {
    id: 'test/model',
    local: false,
    output: 'text',
    address: null,
    connections: () => 4,
    startEpisode: () => () => ask(),
    close: () => Promise.resolve(),
  }
}

describe('an episode played in a thread', { timeout: 120_000 }, () => {
  it('gives the same lines, events, scores and images as in the main thread', async () => {
    const { jobs, context, brief, kept, calls } = await staged('articulate/joint', 'builtin:objects=2', (suite) =>
      baselinePlayer(suite, 'baseline/random'),
    )
    const there = await Promise.all(jobs.map((job) => pool.play(brief, job, context)))
    const callsThere = calls()
    const hashes = new Set(kept.map(({ sha256 }) => sha256))
    kept.length = 0
    const here = await Promise.all(jobs.map((job) => playEpisode(job, context)))
    expect(withoutTimes(JSON.stringify(there))).toBe(withoutTimes(JSON.stringify(here)))
    expect(hashes).toEqual(new Set(kept.map(({ sha256 }) => sha256)))
    expect(calls()).toBe(2 * callsThere)
  })

  it('finds the files of a dataset', async () => {
    await writePartNet(join(folder, 'objects'))
    const { jobs, context, brief } = await staged('articulate/joint', `partnet:${folder}/objects`, (suite) =>
      baselinePlayer(suite, 'baseline/oracle'),
    )
    expect(JSON.stringify(jobs)).not.toContain(folder)
    const { line } = await pool.play(brief, jobs[0]!, context)
    expect(line).toMatchObject({ status: 'answered', scores: { success: 1 } })
  })

  it('calls models through the main thread and records their failures', async () => {
    let asked = 0
    const { jobs, context, brief, calls } = await staged('space/text', 'builtin:scenes=3', () =>
      model(async () => {
        asked += 1
        if (asked > 5) throw new ModelError('server', 'the server is on fire', 7)
        return { text: 'no idea', finish: 'stop', usage: { ...NO_USAGE, calls: 1 }, ms: 1, cached: false }
      }),
    )
    const { line } = await pool.play(brief, jobs[0]!, context)
    expect(line).toMatchObject({ status: 'model_error', error: 'the server is on fire', usage: { calls: 5 } })
    expect(asked).toBe(6)
    expect(calls()).toBe(5)
  })

  it('is dropped when the run stops', async () => {
    const { jobs, context, brief, control } = await staged('space/text', 'builtin:scenes=3', () =>
      model(async () => {
        control.drain(new RunStopped('interrupted', 'stopped by Ctrl-C'))
        return { text: 'no idea', finish: 'stop', usage: { ...NO_USAGE, calls: 1 }, ms: 1, cached: false }
      }),
    )
    await expect(pool.play(brief, jobs[0]!, context)).rejects.toMatchObject({
      name: 'EpisodeStopped',
      message: 'stopped by Ctrl-C',
    })
  })
})
