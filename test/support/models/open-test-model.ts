/** Opens models against a test server, with short timeouts and no cache. */
import { sha256 } from '../../../src/base/hash.ts'
import type { MediaRef } from '../../../src/media/ref.ts'
import type { ModelDeps } from '../../../src/models/deps.ts'
import { openModel } from '../../../src/models/providers/open.ts'
import { Prices } from '../../../src/models/prices.ts'
import { PROVIDERS } from '../../../src/models/providers/providers.ts'
import type { Message, Model, ModelRequest } from '../../../src/models/types.ts'
import { quickClock } from './quick-clock.ts'

export const SECRET = 'sk-test-0123456789-very/secret+key'

function image(base64: string): { bytes: Uint8Array; ref: MediaRef } {
  const bytes = Buffer.from(base64, 'base64')
  return { bytes, ref: { sha256: sha256(bytes), type: 'image/png', bytes: bytes.length, width: 1, height: 1 } }
}

/** Two one-pixel images. */
export const PNG = {
  red: image('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='),
  blue: image('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg=='),
}

export function requestFor(messages: readonly Message[] | string, epoch = 0): ModelRequest {
  return {
    messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
    sampling: {},
    epoch,
    origin: { sampleId: 'case', ordinal: 0, role: 'player' },
  }
}

export type TestSettings = Partial<ModelDeps> & { timesAsFast?: number }

/** A model of any provider whose base URL is `origin` and whose key is `SECRET`. */
export function openTestModel(spec: string, origin: string, more: TestSettings = {}): Promise<Model> {
  const { timesAsFast = 1000, ...deps } = more
  const env: Record<string, string> = {}
  for (const provider of PROVIDERS) {
    env[provider.keyNames[0]] = SECRET
    env[provider.baseUrlName] = origin
  }
  return openModel(spec, {
    readMedia: (ref) => {
      const found = Object.values(PNG).find(({ ref: known }) => known.sha256 === ref.sha256)
      return found ? Promise.resolve(found.bytes) : Promise.reject(new Error('no such file'))
    },
    replies: null,
    env,
    options: {},
    maxRetries: 4,
    timeoutMs: 20_000,
    prices: new Prices([]),
    log: () => {},
    clock: quickClock(timesAsFast),
    ...deps,
  })
}
