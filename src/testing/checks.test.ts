/** All built-in suites and the example pass the suite checks. */
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { defineSuite } from '../engine/define.ts'
import { user } from '../engine/messages.ts'
import { oneOf } from '../engine/readers.ts'
import { suiteNames } from '../suites/index.ts'
import { type CheckOptions, suiteChecks } from './checks.ts'
import { loadSuite } from './load.ts'

/** Without `ask`, every scene would have few questions that so few images answer, and scenes take long to make. */
const SEEN_LITTLE = { unanswerable: 'ask', size: '160x120' }

/** Suites that render images or video play fewer, smaller samples: each takes seconds. */
const SIZES: Readonly<Record<string, CheckOptions>> = {
  'articulate/build': { samples: 2, chanceSamples: 6, options: { size: '320x240', frames: 2 } },
  'articulate/critic': { samples: 4, chanceSamples: 24, options: { size: '320x240', frames: 2 } },
  'articulate/joint': { samples: 2, chanceSamples: 12, options: { size: '320x240', frames: 2 } },
  'articulate/place': { samples: 2, chanceSamples: 12, options: { size: '320x240', frames: 2 } },
  'articulate/retrieve': { samples: 3, chanceSamples: 3, options: { size: '320x240', frames: 2, candidates: 2 } },
  'space/text': { samples: 3, chanceSamples: 30, options: { steps: 4, questions: 1 } },
  'space/vision': { samples: 1, chanceSamples: 3, options: { steps: 6, questions: 1 } },
  vbench: { samples: 2, chanceSamples: 4, options: { dimension: 'motion_smoothness', pictures: false } },
  'vsi/blind': { samples: 6, chanceSamples: 60, source: 'builtin:look=plain' },
  'vsi/explore': { samples: 2, chanceSamples: 12, source: 'builtin:look=plain', options: { ...SEEN_LITTLE, steps: 2 } },
  'vsi/video': { samples: 2, chanceSamples: 20, source: 'builtin:look=plain', options: { ...SEEN_LITTLE, frames: 2 } },
  vsig: { samples: 2, chanceSamples: 12, options: { frames: 2, side: 320, unanswerable: 'ask' } },
}

const example = fileURLToPath(new URL('../../examples/bearings.ts', import.meta.url))

describe.each([...suiteNames(), example])('%s', { timeout: 600_000 }, async (name) => {
  const checked = await loadSuite(name)
  it.each(suiteChecks(checked, SIZES[name]))('$name', async (check) => check.run())
})

/** A suite with one mistake. */
function suiteWithMistake(what: 'chance' | 'oracle' | 'order' | 'ids') {
  let played = 0
  const suite = defineSuite({
    name: `wrong/${what}`,
    version: 1,
    samples: Array.from({ length: 60 }, (_, i) => ({
      id: what === 'ids' ? 'same' : `coin-${i}`,
      answer: i % 2 === 0 ? ('heads' as const) : ('tails' as const),
    })),
    ask: (sample) => [user`Coin ${sample.id}: heads or tails?`],
    read: oneOf('heads', 'tails'),
    truth: (sample) => sample.answer,
    ...(what === 'order' ? { score: () => ({ correct: ++played % 2 }) } : {}),
  })
  if (what === 'chance') {
    const { ...stated } = suite
    suite.summary = (means, context) => {
      const table = stated.summary(means, context)
      return { ...table, rows: table.rows.map((row) => ({ ...row, chance: 0.05 })) }
    }
  }
  if (what === 'oracle') suite.baselines = { ...suite.baselines, oracle: suite.baselines['random']! }
  return { suite, loadFrom: null }
}

it.each([
  ['chance', 'random scores at its stated chance level', /random scores/],
  ['oracle', 'oracle reaches its ceiling', /oracle scores/],
  ['order', 'results do not depend on the order of samples', /deep/],
  ['ids', 'samples are plain JSON with unique ids and match their schema', /two samples/],
] as const)('rejects a suite with wrong %s', { timeout: 60_000 }, async (what, name, message) => {
  const check = suiteChecks(suiteWithMistake(what)).find((each) => each.name === name)
  await expect(check?.run()).rejects.toThrow(message)
})
