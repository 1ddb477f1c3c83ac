/** Built-in players as models: they answer in this process, for nothing. */
import type { LocalPlayer, StartPlayer } from './deps.ts'
import { type Model, NO_USAGE } from './types.ts'

export interface BaselineModel extends Model {
  /** Forgets the player of an episode that is over. */
  end(episode: { caseId: string; epoch: number }): void
}

/** Requests of built-in players that may be under way at once. They are not waited for, so this only bounds memory. */
const LOCAL_CONNECTIONS = 16

/**
 * A model whose replies come from a function, started anew for every episode.
 *
 * @example
 * const parrot = baselineModel('baseline/parrot', () => (request) => textOf(request.messages.at(-1)!))
 */
export function baselineModel(id: string, start: StartPlayer): BaselineModel {
  const players = new Map<string, LocalPlayer>()
  const nameOf = (caseId: string, epoch: number) => `${epoch} ${caseId}`
  return {
    id,
    local: true,
    connections: () => LOCAL_CONNECTIONS,
    async ask(request, signal) {
      signal.throwIfAborted()
      const { caseId } = request.origin
      const name = nameOf(caseId, request.epoch)
      let player = players.get(name)
      if (player === undefined) {
        player = start({ caseId, epoch: request.epoch })
        players.set(name, player)
      }
      const text = await player(request)
      return { text, finish: 'stop', usage: { ...NO_USAGE, calls: 1 }, ms: 0, cached: false }
    },
    end: ({ caseId, epoch }) => {
      players.delete(nameOf(caseId, epoch))
    },
    close: () => {
      players.clear()
      return Promise.resolve()
    },
  }
}
