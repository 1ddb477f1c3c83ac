/** A model and its surroundings, for tests of runs of the compass. */
import { Prices } from '../models/prices.ts'
import { type Model, type ModelRequest, NO_USAGE, type Reply, textOf } from '../models/types.ts'
import { Store } from '../store/store.ts'
import type { Surroundings } from './run.ts'

/** Follows the turns in the question; every call costs a cent and ten tokens. */
export function walker(
  trouble: (request: ModelRequest, call: number) => Promise<string | void> | string | void = () => undefined,
): Model & { asked: string[] } {
  const asked: string[] = []
  const winds = ['north', 'east', 'south', 'west']
  return {
    asked,
    id: 'test/walker',
    local: false,
    connections: () => 4,
    close: () => Promise.resolve(),
    async ask(request): Promise<Reply> {
      asked.push(`${request.origin.caseId}#${request.epoch}`)
      const instead = await trouble(request, asked.length)
      const quarter = [...textOf(request.messages[0]!).matchAll(/right|left|around/g)].reduce(
        (sum, [turn]) => sum + { right: 1, left: 3, around: 2 }[turn]!,
        0,
      )
      return {
        text: instead ?? `I face ${winds[quarter % 4]}.`,
        finish: 'stop',
        usage: { ...NO_USAGE, calls: 1, inputTokens: 9, outputTokens: 1, usd: 0.01 },
        ms: 1,
        cached: false,
      }
    },
  }
}

/** A store in a folder, one model that costs something, and a clock that stands. */
export async function surroundings(folder: string, model: Model): Promise<Surroundings> {
  return {
    store: await Store.open(folder),
    openModel: () => Promise.resolve(model),
    prices: new Prices([{ [model.id]: { input: 1, output: 1 } }]),
    versions: {},
    git: null,
    now: () => new Date('2026-01-02T03:04:05Z'),
  }
}
