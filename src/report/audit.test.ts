/** Floors hold for runs like those they were made with, and for no others. */
import { expect, it } from 'vitest'
import { type Audit, auditFor, withFloors } from './audit.ts'

const AUDIT: Audit = {
  format: 1,
  suite: 'vsi/video',
  suiteVersion: 6,
  profile: 'official',
  source: 'builtin:scenes=200',
  limit: null,
  options: { frames: 32, look: 'lit' },
  seed: 90_210,
  samples: 2000,
  clusters: 200,
  rows: [
    {
      key: 'size',
      title: 'Size',
      n: 200,
      chance: null,
      constant: 0.3,
      blind: 0.33,
      blindInterval: [0.3, 0.36],
      gain: 0.03,
      gainInterval: [-0.01, 0.05],
      ceiling: 0.99,
    },
  ],
  notes: [],
}
const RUN = {
  suite: 'vsi/video',
  suiteVersion: 6,
  profile: 'official',
  source: 'builtin',
  options: { frames: 32, look: 'lit' },
}

it.each([
  ['the same settings', {}],
  ['other scenes of the same kind', { source: 'builtin:seed=7,scenes=20' }],
])('are found for %s', (_, change) => {
  expect(auditFor({ ...RUN, ...change }, [AUDIT]).audit).toBe(AUDIT)
})

it.each([
  ['another version', { suiteVersion: 5 }, 'version=6 (here 5)'],
  ['another profile', { profile: 'upstream' }, 'profile=official (here upstream)'],
  ['another source', { source: 'vsi-bench:/data' }, 'source=builtin (here vsi-bench)'],
  ['another kind of scene', { source: 'builtin:look=plain' }, 'source=builtin (here builtin look=plain)'],
  ['scenes with less in them', { source: 'builtin:clutter=0' }, 'source=builtin (here builtin clutter=0)'],
  ['another option', { options: { frames: 16, look: 'lit' } }, 'frames=32 (here 16)'],
])('are not shown for %s, and the report says why', (_, change, why) => {
  const found = auditFor({ ...RUN, ...change }, [AUDIT])
  expect(found).toMatchObject({ audit: null, reason: expect.stringContaining(why) as string })
})

it('are not missed in a suite without any', () => {
  expect(auditFor(RUN, [])).toEqual({ audit: null, reason: null })
})

it('stand next to the score, behind what the suite computes on the same samples', () => {
  const row = { key: 'size', value: 0.5, constant: 0.25, blind: 0.2 }
  expect(withFloors(row, AUDIT)).toEqual({ key: 'size', value: 0.5, constant: 0.3, blind: 0.33, ceiling: 0.99 })
  expect(withFloors({ key: 'size', constant: 0.4, ceiling: 0.9 }, AUDIT)).toMatchObject({ constant: 0.4, ceiling: 0.9 })
  expect(withFloors({ key: 'other', value: 1 }, AUDIT)).toEqual({ key: 'other', value: 1 })
})
