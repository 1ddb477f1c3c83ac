/** Audits of suites as authors write them. */
import { describe, expect, it } from 'vitest'
import { defineSuite } from '../define.ts'
import { user } from '../messages.ts'
import { number, oneOf, text } from '../readers.ts'
import type { AnySuite } from '../suite.ts'
import { auditSuite } from './audit.ts'

const SIDES = ['left', 'right', 'front', 'back'] as const
const NAMES = ['sofa', 'lamp', 'guitar', 'stool', 'desk', 'plant', 'oven', 'crib'] as const

function rowOf({ rows }: Awaited<ReturnType<typeof auditSuite>>, key: string) {
  return rows.find((row) => row.key === key)
}

/** Half of the samples give the answer away by the name in the question. */
const sides = defineSuite({
  name: 'sides',
  version: 1,
  *samples({ random }) {
    for (let i = 0; i < 160; i++) {
      const name = random.int(NAMES.length)
      const isLeaky = i % 2 === 0
      const side = SIDES[isLeaky ? name % 4 : random.int(4)]!
      yield { name: NAMES[name]!, side, cluster: `room ${i >> 2}`, labels: { type: isLeaky ? 'leaky' : 'fair' } }
    }
  },
  ask: ({ name }) => [user`Where is the ${name}?`],
  read: oneOf(...SIDES),
  truth: ({ side }) => side,
})

describe('questions', () => {
  it('are audited by what they ask, by type, with the total of the table', async () => {
    const audit = await auditSuite({ suite: sides })
    expect(audit).toMatchObject({ samples: 160, clusters: 40, source: 'builtin' })
    const [leaky, fair, all] = ['type.leaky', 'type.fair', 'correct'].map((key) => rowOf(audit, key)!)
    expect(leaky!.blind).toBeGreaterThan(0.9)
    expect(leaky!.gain).toBeGreaterThan(0.45)
    expect(leaky!.gainInterval![0]).toBeGreaterThan(0.3)
    expect(fair!.blind).toBeLessThan(0.45)
    expect(fair!.chance).toBe(0.25)
    expect(all!.blind).toBeCloseTo((leaky!.blind! + fair!.blind!) / 2)
  })

  it('that words give away are named; the others are fair', async () => {
    const { easy, ids } = await auditSuite({ suite: sides })
    const kept = ids.filter((id) => !easy.has(id))
    expect(easy.size).toBeGreaterThan(30)
    const again = await auditSuite({ suite: sides, sampleIds: kept })
    expect(again.samples).toBe(kept.length)
    expect(rowOf(again, 'correct')!.gainInterval![0]).toBeLessThanOrEqual(0)
  })

  it('that one constant answer gets right are left out, too, until it gets no more than chance', async () => {
    const skewed = defineSuite({
      name: 'skewed',
      version: 1,
      samples: Array.from({ length: 200 }, (_, i) => ({ side: SIDES[i % 5 === 0 ? i % 4 : 0]! })),
      ask: () => [user`Which side?`],
      read: oneOf(...SIDES),
      truth: ({ side }) => side,
    })
    const { easy, ids } = await auditSuite({ suite: skewed })
    expect(easy.size).toBeGreaterThan(100)
    const kept = await auditSuite({ suite: skewed, sampleIds: ids.filter((id) => !easy.has(id)) })
    expect(rowOf(kept, 'correct')!.constant).toBeLessThan(0.35)
  })

  it('with numbers are graded as the reader grades them', async () => {
    const lengths = defineSuite({
      name: 'lengths',
      version: 1,
      *samples({ random }) {
        for (let i = 0; i < 120; i++) {
          const name = random.int(NAMES.length)
          yield { name: NAMES[name]!, meters: 0.3 * 1.5 ** name }
        }
      },
      ask: ({ name }) => [user`How long is the ${name}?`],
      read: number(),
      truth: ({ meters }) => meters,
    })
    const row = rowOf(await auditSuite({ suite: lengths }), 'correct')!
    expect(row.chance).toBeNull()
    expect(row.constant).toBeLessThan(0.5)
    expect(row.blind).toBeGreaterThan(0.95)
  })

  it('with free text cannot be audited', async () => {
    const free = defineSuite({
      name: 'free',
      version: 1,
      samples: [{ word: 'sofa' }],
      ask: () => [user`What is it?`],
      read: text(),
      truth: ({ word }) => word,
    })
    await expect(auditSuite({ suite: free })).rejects.toThrow(/asks for a number or one of several choices/)
  })
})

/** A suite that plays itself: its headline mixes a metric that words can be audited for with one that they cannot. */
const played: AnySuite = defineSuite({
  name: 'played',
  version: 1,
  samples: Array.from({ length: 40 }, (_, i) => ({ side: SIDES[i % 4]! })),
  metrics: {
    found: { title: 'Found', better: 'higher', unit: 'percent', failed: 'zero' },
    side: { title: 'Side', better: 'higher', unit: 'percent', failed: 'zero' },
  },
  play: () => Promise.resolve({ status: 'answered', outcome: null }),
  score: () => ({ found: 1, side: 1 }),
  summary: (means) => ({
    headline: 'both',
    rows: [
      ...['found', 'side'].map((key) => ({ key, value: means.mean(key), n: means.count(key) })),
      { key: 'both', value: (Number(means.mean('found')) + Number(means.mean('side'))) / 2, n: means.count('side') },
    ].map((row) => ({ ...row, title: row.key, unit: 'percent', better: 'higher' })),
  }),
  audit: ({ side }) => [
    { row: 'side', words: '', target: { kind: 'choice', options: SIDES, answer: SIDES.indexOf(side) } },
  ],
})

describe('suites that play themselves', () => {
  it('have only the rows that follow from their tasks', async () => {
    const audit = await auditSuite({ suite: played })
    expect(audit.rows.map(({ key }) => key)).toEqual(['side'])
  })

  it('say so if they have nothing to audit', async () => {
    const silent: AnySuite = { ...played }
    delete silent.audit
    await expect(auditSuite({ suite: silent })).rejects.toThrow(/played cannot be audited/)
  })
})
