/** A thread that plays episodes: suites compute here, and everything that waits for a network is asked of the main thread. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Reply, Role, Usage } from '../../models/types.ts'
import { Store } from '../../store/store.ts'
import { RunStopped, StopControl } from '../control.ts'
import { type EpisodeContext, playEpisode } from '../episode.ts'
import { suiteOptions } from '../options.ts'
import { DataFiles } from '../data-files.ts'
import { BASELINE_PREFIX, baselinePlayer, type Player } from '../players.ts'
import type { AnySuite } from '../suite.ts'
import { type FromThread, receivedError, type RunBrief, sendError, type ThreadData, type ToThread } from './messages.ts'

const { suites, store: storeFolder } = workerData as ThreadData
const { loadSuite } = (await import(suites)) as {
  loadSuite: (name: string, from: string | null) => Promise<AnySuite>
}
const store = await Store.open(storeFolder)

interface PreparedRun {
  brief: RunBrief
  suite: AnySuite
  options: unknown
  instruments: EpisodeContext['instruments']
}

const runs = new Map<string, Promise<PreparedRun>>()
const controls = new Map<number, StopControl>()
const questions = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>()
const countedThere = new WeakSet<Usage>()
let lastQuestion = 0

function tell(message: FromThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's, not a window's
  parentPort?.postMessage(message)
}

parentPort?.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'run':
      runs.set(message.brief.id, prepare(message.brief))
      return
    case 'play':
      void play(message)
      return
    case 'stop': {
      const reason = new RunStopped(message.why, message.message)
      const control = controls.get(message.episode)
      if (message.cut) control?.abort(reason)
      else control?.drain(reason)
      return
    }
    case 'reply':
      questions.get(message.question)?.resolve(message.reply)
      questions.delete(message.question)
      return
    case 'failed':
      questions.get(message.question)?.reject(receivedError(message.error))
      questions.delete(message.question)
  }
})

async function prepare(brief: RunBrief): Promise<PreparedRun> {
  const suite = await loadSuite(brief.suite, brief.suiteModule)
  const options = suiteOptions(suite, brief.options)
  return { brief, suite, options, instruments: await suite.measure?.open(options) }
}

async function play({ episode, run, job }: Extract<ToThread, { type: 'play' }>): Promise<void> {
  const control = new StopControl()
  controls.set(episode, control)
  try {
    const { brief, suite, options, instruments } = await runs.get(run)!
    const context: EpisodeContext = {
      suite,
      options,
      profile: brief.profile,
      seed: brief.seed,
      players: new Map(
        (Object.entries(brief.models) as [Role, string][]).map(([role, id]) => [
          role,
          id.startsWith(BASELINE_PREFIX) ? baselinePlayer(suite, id) : asked(id, role, episode, control),
        ]),
      ),
      signal: control.signal,
      draining: control.draining,
      keep: (bytes, type, size) => store.media.keep(bytes, type, size),
      fileOf: (ref) => store.media.pathOf(ref),
      files: new DataFiles(brief.roots),
      instruments,
      kept: (ref) => tell({ type: 'kept', episode, ref }),
      mayAsk: () => control.check(),
      // Who was asked through the main thread is counted there.
      used: (usage, cached) => {
        if (!countedThere.has(usage)) tell({ type: 'used', episode, usage, cached })
      },
    }
    tell({ type: 'finished', episode, result: await playEpisode(job, context) })
  } catch (error) {
    tell({ type: 'error', episode, error: sendError(error) })
  } finally {
    controls.delete(episode)
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
      const { draining: _, cue: __, ...sent } = request
      const question = ++lastQuestion
      const reply = new Promise<Reply>((resolve, reject) => questions.set(question, { resolve, reject }))
      tell({ type: 'ask', episode, question, role, request: sent })
      try {
        const { usage, ...rest } = await reply
        countedThere.add(usage)
        return { usage, ...rest }
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
