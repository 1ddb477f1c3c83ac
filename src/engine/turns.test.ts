import { setImmediate as tick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Turn, Turns } from './turns.ts'

/** Episodes that wait for their turns in this order; `a1` is the first question about scene a. */
async function waiting(limit: number, names: readonly string[]) {
  const granted: string[] = []
  const turns = new Turns(() => limit)
  const of = new Map<string, Turn>()
  for (const name of names) {
    const turn = turns.turn(name.endsWith('1'))
    of.set(name, turn)
    void turn.ask().then(() => granted.push(name))
  }
  await tick()
  const end = async (name: string): Promise<void> => {
    of.get(name)!.answered()
    of.get(name)!.end()
    await tick()
  }
  return { granted, end, turn: (name: string) => of.get(name)!, turns }
}

describe('Turns', () => {
  it('lets as many ask as there are connections', async () => {
    const { granted, end } = await waiting(2, ['a1', 'a2', 'a3'])
    expect(granted).toEqual(['a1', 'a2'])
    await end('a2')
    expect(granted).toEqual(['a1', 'a2', 'a3'])
  })

  it('puts the first question about the next scene before the rest of this one', async () => {
    const { granted, end } = await waiting(2, ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
    await end('a1')
    expect(granted).toEqual(['a1', 'a2', 'b1'])
    await end('a2')
    expect(granted.at(-1)).toBe('a3')
  })

  it('opens no further scene while four have no answer, if others can be asked about', async () => {
    const names = ['a1', 'b1', 'c1', 'd1', 'a2', 'a3', 'e1']
    const { granted, end, turn } = await waiting(5, names)
    expect(granted).toEqual(['a1', 'b1', 'c1', 'd1', 'a2'])
    await end('a2')
    expect(granted.at(-1)).toBe('a3')
    turn('b1').answered()
    await end('a3')
    expect(granted.at(-1)).toBe('e1')
  })

  it('uses all connections where every question is about a scene of its own', async () => {
    const names = Array.from({ length: 10 }, (_, i) => `${i}-1`)
    const { granted } = await waiting(8, names)
    expect(granted).toHaveLength(8)
  })

  it('passes on the turn of an episode that ended before it came', async () => {
    const { granted, end, turn } = await waiting(1, ['a1', 'a2', 'a3'])
    turn('a2').end()
    await end('a1')
    expect(granted).toEqual(['a1', 'a2', 'a3'])
  })

  it('is given back once, and not by an episode that never asked', async () => {
    const { granted, turns } = await waiting(1, ['a1', 'a2', 'a3'])
    turns.turn(false).end()
    await tick()
    expect(granted).toEqual(['a1'])
  })
})
