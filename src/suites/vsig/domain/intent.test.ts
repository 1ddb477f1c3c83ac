import { describe, expect, it } from 'vitest'
import { intentSimilarity, slotSimilarity } from './intent.ts'

describe('slot similarity', () => {
  const left = { name: '银色圆形中间镂空柱体的左面', kind: 'area' } as const
  it.each([
    ['the same words', left, '银色圆形中间镂空柱体的左面', '', 1],
    ['another word for the same side', left, '银色圆形中间镂空柱体左侧', '', 1],
    ['the other side', left, '银色圆形中间镂空柱体的右边', '', 0],
    ['only in the command', left, '', '把杯子放到银色圆形中间镂空柱体的左边', 1],
    ['the other side in the command', left, '', '把杯子放到银色圆形中间镂空柱体的右边，然后拿起来', 0],
    ['one of two sides in the command', left, '', '把杯子放到银色圆形中间镂空柱体的左边，然后把盒子放到杯子的右边', 1],
    ['nothing', left, '', '', 0],
    ['English', { name: 'left side of the red cup', kind: 'area' } as const, 'to the left of the red cup', '', 1],
    ['English, wrong side', { name: 'left side of the red cup', kind: 'area' } as const, 'behind the red cup', '', 0],
    ['another thing', { name: 'red cup', kind: 'object' } as const, 'blue box', 'take the blue box', 0],
  ])('%s', (_, slot, description, command, expected) => {
    expect(slotSimilarity(slot, description, command)).toBeCloseTo(expected, 10)
  })

  it('gives partial credit for shared words', () => {
    const half = slotSimilarity({ name: 'red cup', kind: 'object' }, 'red box', '')
    expect(half).toBeGreaterThan(0.3)
    expect(half).toBeLessThan(0.7)
  })

  it('handles very long texts quickly and with the same result', () => {
    const flood = '左'.repeat(200_000)
    expect(slotSimilarity({ name: '杯子', kind: 'object' }, flood, flood)).toBe(0)
  })
})

describe('intent similarity', () => {
  it('is the mean over slots; a slot that is not mentioned scores 0', () => {
    const slots = [
      { name: '红色杯子', kind: 'object' },
      { name: '蓝色盒子', kind: 'object' },
    ] as const
    expect(intentSimilarity(slots, ['红色杯子'], '')).toBe(0.5)
    expect(intentSimilarity([], [], '')).toBeNull()
  })
})
