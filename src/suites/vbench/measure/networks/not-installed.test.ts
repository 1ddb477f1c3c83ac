import { expect, test, vi } from 'vitest'
import { openNetwork } from './runtime.ts'

vi.mock('onnxruntime-node', () => {
  throw new Error('Cannot find package')
})

test('networks without ONNX Runtime are refused with what to do', async () => {
  await expect(openNetwork('dino.onnx')).rejects.toMatchObject({
    message: 'The networks need onnxruntime-node, which is not installed here.',
    hint: expect.stringContaining('npm install') as string,
  })
})
