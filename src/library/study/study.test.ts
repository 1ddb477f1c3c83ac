import { describe, expect, test } from 'vitest'
import { agreementOfMany } from '../../report/agreement.ts'
import { assignSamples } from './assign.ts'

describe('assignment', () => {
  const samples = Array.from({ length: 25 }, (_, i) => `s${i}`)
  const assigned = assignSamples(samples, { participants: 7, perSample: 3, seed: 1 })

  test('gives every sample to as many people as wanted, and all about the same number', () => {
    for (const sample of samples) expect(assigned.filter((own) => own.includes(sample))).toHaveLength(3)
    const counts = assigned.map(({ length }) => length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    for (const own of assigned) expect(new Set(own).size).toBe(own.length)
  })

  test('lets nearly everybody share samples with everybody', () => {
    const pairs = assigned.flatMap((a, i) =>
      assigned.slice(i + 1).map((b) => a.filter((each) => b.includes(each)).length),
    )
    expect(pairs.filter((shared) => shared === 0).length).toBeLessThanOrEqual(1)
  })

  test('is the same for the same seed, and impossible with too few people', () => {
    expect(assignSamples(samples, { participants: 7, perSample: 3, seed: 1 })).toEqual(assigned)
    expect(assignSamples(samples, { participants: 7, perSample: 3, seed: 2 })).not.toEqual(assigned)
    expect(() => assignSamples(samples, { participants: 2, perSample: 3, seed: 1 })).toThrow('2 participants')
  })
})

describe('agreement of several people', () => {
  const people = (...columns: string[]) =>
    columns.map(
      (column) => new Map(column.split('').flatMap((mark, i) => (mark === '.' ? [] : [[`s${i}`, Number(mark)]]))),
    )

  test("is Krippendorff's alpha", () => {
    // The example of two observers with ten binary values in Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability".
    const { alpha, share, samples } = agreementOfMany(people('0100000010', '1110010000'))!
    expect(samples).toBe(10)
    expect(share).toBeCloseTo(0.6, 9)
    expect(alpha).toBeCloseTo(0.095, 3)
  })

  test('counts only samples that two people played, and says nothing where all are right', () => {
    expect(agreementOfMany(people('1.', '.1'))).toBeNull()
    expect(agreementOfMany(people('11.', '110', '1..'))).toMatchObject({ samples: 2, share: 1, alpha: null })
    // A partly right answer is not a right one.
    expect(agreementOfMany([new Map([['a', 0.9]]), new Map([['a', 1]])])).toMatchObject({ share: 0 })
  })
})
