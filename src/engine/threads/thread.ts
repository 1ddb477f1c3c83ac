/** A thread that plays episodes: suites compute here, and everything that waits for a network is asked of the main thread. */
import { workerData } from 'node:worker_threads'
import { serveThread } from '../../base/thread.ts'
import type { Role, Usage } from '../../models/types.ts'
import { Store } from '../../store/store.ts'
import { RunStopped, StopControl } from '../control.ts'
import { type EpisodeContext, playEpisode } from '../episode.ts'
import { DataFiles } from '../data-files.ts'
import { suiteOptions } from '../options.ts'
import { BASELINE_PREFIX, baselinePlayer, type Player } from '../players.ts'
import type { AnySuite } from '../suite.ts'
import { EPISODE_ERRORS, type MainHandlers, type RunBrief, type ThreadData, type ThreadHandlers } from './messages.ts'

const { suites, store: storeFolder } = workerData as ThreadData
const { loadSuite } = (await import(suites)) as {
  loadSuite: (name: string, from: string | null) => Promise<AnySuite>
}
const store = await Store.open(storeFolder)

const runs = new Map<string, ReturnType<typeof prepare>>()
const controls = new Map<number, StopControl>()
const countedThere = new WeakSet<Usage>()

const main = serveThread<ThreadHandlers, MainHandlers>(
  {
    async play({ episode, brief, job }) {
      const control = new StopControl()
      controls.set(episode, control)
      try {
        const run = runs.get(brief.id) ?? prepare(brief)
        runs.set(brief.id, run)
        return await playEpisode(job, contextOf(episode, control, brief, await run))
      } finally {
        controls.delete(episode)
      }
    },
    stop({ episode, cut, why, message }) {
      const reason = new RunStopped(why, message)
      const control = controls.get(episode)
      if (cut) control?.abort(reason)
      else control?.drain(reason)
    },
  },
  EPISODE_ERRORS,
)

async function prepare(brief: RunBrief): Promise<Pick<EpisodeContext, 'suite' | 'options' | 'instruments'>> {
  const suite = await loadSuite(brief.suite, brief.suiteModule)
  const options = suiteOptions(suite, brief.options)
  return { suite, options, instruments: await suite.measure?.open(options) }
}

function contextOf(
  episode: number,
  control: StopControl,
  { profile, seed, models, roots }: RunBrief,
  { suite, options, instruments }: Awaited<ReturnType<typeof prepare>>,
): EpisodeContext {
  return {
    suite,
    options,
    profile,
    seed,
    players: new Map(
      (Object.entries(models) as [Role, string][]).map(([role, id]) => [
        role,
        id.startsWith(BASELINE_PREFIX) ? baselinePlayer(suite, id) : asked(id, role, episode, control),
      ]),
    ),
    signal: control.signal,
    draining: control.draining,
    keep: (bytes, type, size) => store.media.keep(bytes, type, size),
    fileOf: (ref) => store.media.pathOf(ref),
    files: new DataFiles(roots),
    instruments,
    kept: (ref) => main.send('kept', { episode, ref }),
    mayAsk: () => control.check(),
    // Who was asked through the main thread is counted there.
    used: (usage, cached) => {
      if (!countedThere.has(usage)) main.send('used', { episode, usage, cached })
    },
  }
}

/** A model that the main thread asks. */
function asked(id: string, role: Role, episode: number, control: StopControl): Player {
  return {
    id,
    local: false,
    output: 'suite',
    address: null,
    connections: () => 1,
    close: () => Promise.resolve(),
    begin: () => async (request) => {
      const { draining: _, baselineInput: __, ...sent } = request
      try {
        const reply = await main.call('ask', { episode, role, request: sent })
        countedThere.add(reply.usage)
        return reply
      } catch (error) {
        // A stop is a stop for the episode too, wherever it was noticed first.
        if (error instanceof RunStopped) {
          control.drain(error)
          throw control.reason ?? error
        }
        throw error
      }
    },
  }
}
