import { expect, it } from 'vitest'
import { IndexedCases } from './indexed-cases.ts'

function counted(count: number) {
  let made = 0
  const source = {
    fingerprint: 'x',
    count,
    *cases() {
      for (let i = 0; i < count; i++) {
        made += 1
        yield { id: `case-${i}`, cluster: 'a', labels: {} }
      }
    },
  }
  return { cases: new IndexedCases(source), made: () => made }
}

it('cases are found by their place, forwards, backwards and at once, and made once', async () => {
  const { cases, made } = counted(50)
  const ids = await Promise.all([3, 10, 4, 49, 0].map(async (index) => (await cases.at(index))?.id))
  expect(ids).toEqual(['case-3', 'case-10', 'case-4', 'case-49', 'case-0'])
  expect(made()).toBe(50)
})

it('there is none behind the last, and those before are still found', async () => {
  const { cases } = counted(3)
  expect(await cases.at(7)).toBeNull()
  expect((await cases.at(2))?.id).toBe('case-2')
})

it('those that were forgotten are made again', async () => {
  const { cases } = counted(5000)
  expect((await cases.at(4999))?.id).toBe('case-4999')
  expect((await cases.at(1))?.id).toBe('case-1')
})
