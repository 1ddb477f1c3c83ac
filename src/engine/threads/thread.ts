/** Entry point of a thread that plays episodes. Suites compute here; network requests go through the main thread. */
import { constants, getPriority, platform, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { serveThread } from '../../base/thread.ts'
import type { MediaRef } from '../../media/ref.ts'
import type { Role, Usage } from '../../models/types.ts'
import { Store } from '../../store/store.ts'
import { RunStopped, StopControl } from '../control.ts'
import { type EpisodeContext, playEpisode, type Work } from '../episode.ts'
import { DataFiles } from '../data-files.ts'
import { suiteOptions } from '../options.ts'
import { BASELINE_PREFIX, baselinePlayer, type Player } from '../players.ts'
import type { AnySuite } from '../suite.ts'
import {
  EPISODE_ERRORS,
  type MainHandlers,
  type ThreadRun,
  type ThreadData,
  type ThreadHandlers,
  type Wanted,
} from './messages.ts'

/** What is computed ahead can wait; a request, a reply and a server on this machine should not. */
const NICER = 5

// Linux alone sets the priority of a thread; elsewhere it would be that of the process, main thread included.
if (platform() === 'linux') {
  try {
    setPriority(Math.min(getPriority() + NICER, constants.priority.PRIORITY_LOW))
  } catch {
    // Where that is not allowed, all threads are equal.
  }
}

const { suites, store: storeFolder } = workerData as ThreadData
const { loadSuite } = (await import(suites)) as {
  loadSuite: (name: string, from: string | null) => Promise<AnySuite>
}
const store = await Store.open(storeFolder)

const runs = new Map<string, ReturnType<typeof prepareRun>>()
const controls = new Map<number, StopControl>()
const countedByMainThread = new WeakSet<Usage>()

const main = serveThread<ThreadHandlers, MainHandlers>(
  {
    async play({ episode, run, job, wants }) {
      const control = new StopControl()
      controls.set(episode, control)
      try {
        const prepared = runs.get(run.id) ?? prepareRun(run)
        runs.set(run.id, prepared)
        return await playEpisode(job, contextOf(episode, control, wants, run, await prepared))
      } finally {
        controls.delete(episode)
      }
    },
    stop({ episode, abort, why, message }) {
      const reason = new RunStopped(why, message)
      const control = controls.get(episode)
      if (abort) control?.abort(reason)
      else control?.drain(reason)
    },
  },
  EPISODE_ERRORS,
)

async function prepareRun(run: ThreadRun): Promise<Pick<EpisodeContext, 'suite' | 'options' | 'instruments'>> {
  const suite = await loadSuite(run.suite, run.suiteModule)
  const options = suiteOptions(suite, run.options)
  return { suite, options, instruments: await suite.measure?.open(options) }
}

function contextOf(
  episode: number,
  control: StopControl,
  wants: Wanted,
  { profile, seed, models, roots }: ThreadRun,
  { suite, options, instruments }: Awaited<ReturnType<typeof prepareRun>>,
): EpisodeContext {
  return {
    suite,
    options,
    profile,
    seed,
    players: new Map(
      (Object.entries(models) as [Role, string][]).map(([role, id]) => [
        role,
        id.startsWith(BASELINE_PREFIX) ? baselinePlayer(suite, id) : remotePlayer(id, role, episode, control),
      ]),
    ),
    signal: control.signal,
    draining: control.draining,
    keep: (bytes, type, size) => store.media.keep(bytes, type, size),
    fileOf: (ref) => store.media.pathOf(ref),
    files: new DataFiles(roots),
    instruments,
    ...(wants.media && { onMedia: (ref: MediaRef) => main.send('kept', { episode, ref }) }),
    ...(wants.work && { onWork: (work: Work) => main.send('working', { episode, work }) }),
    beforeRequest: () => control.check(),
    // Usage of models asked through the main thread is counted there.
    onUsage: (usage, cached) => {
      if (!countedByMainThread.has(usage)) main.send('used', { episode, usage, cached })
    },
  }
}

/** A player that asks its model through the main thread. */
function remotePlayer(id: string, role: Role, episode: number, control: StopControl): Player {
  return {
    id,
    local: false,
    output: 'suite',
    address: null,
    connections: () => 1,
    close: () => Promise.resolve(),
    startEpisode: () => async (request) => {
      const { draining: _, payments: __, held: ___, baselineInput: ____, ...sent } = request
      try {
        const reply = await main.call('ask', { episode, role, request: sent })
        countedByMainThread.add(reply.usage)
        return reply
      } catch (error) {
        // The main thread may notice a stop first; the episode must stop too.
        if (error instanceof RunStopped) {
          control.drain(error)
          throw control.reason ?? error
        }
        throw error
      }
    },
  }
}
