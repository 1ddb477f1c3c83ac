import { expect, it } from 'vitest'
import { namedModel } from './environment.ts'

const settings = { models: { base: { model: 'vllm/qwen-base' } } }

it('resolves short names from the config', () => {
  expect(namedModel('base', settings).model).toBe('vllm/qwen-base')
  expect(namedModel('vllm/other', settings).model).toBe('vllm/other')
})

it('suggests a short name from the config for a misspelled one', () => {
  expect(() => namedModel('bse', settings)).toThrow(
    expect.objectContaining({
      message: 'Unknown model "bse".',
      hint: 'Did you mean "base"? Models in the config: base. Otherwise use provider/name.',
    }),
  )
})
