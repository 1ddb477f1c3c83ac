/** Models and their testEnvironment, for tests of runs. */
import { Prices } from '../../src/models/prices.ts'
import { type Model, type ModelRequest, NO_USAGE, type Reply, textOf } from '../../src/models/types.ts'
import { Store } from '../../src/store/store.ts'
import type { RunEnvironment } from '../../src/engine/run.ts'

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
      asked.push(`${request.origin.sampleId}#${request.epoch}`)
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

/** A model that is free and says what it is told to; it remembers what it was asked. */
export function speaker(
  id: string,
  answer: (request: ModelRequest, call: number) => string,
): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = []
  return {
    requests,
    id,
    local: true,
    connections: () => 1,
    close: () => Promise.resolve(),
    ask: async (request) => {
      const text = answer(request, requests.length)
      requests.push(request)
      return { text, finish: 'stop', usage: { ...NO_USAGE, calls: 1 }, ms: 0, cached: false }
    },
  }
}

const nobody: RunEnvironment['openModel'] = (id) => Promise.reject(new Error(`${id} is not there`))

/**
 * A store in a folder, and a clock that stands. For everyone who is asked there is one model, which costs something, or
 * what opens models by name; without either, only baselines play.
 */
export async function testEnvironment(
  folder: string,
  model: Model | RunEnvironment['openModel'] = nobody,
): Promise<RunEnvironment> {
  return {
    store: await Store.open(folder),
    openModel: typeof model === 'function' ? model : () => Promise.resolve(model),
    prices: new Prices(typeof model === 'function' ? [] : [{ [model.id]: { input: 1, output: 1 } }]),
    versions: {},
    git: null,
    now: () => new Date('2026-01-02T03:04:05Z'),
  }
}
