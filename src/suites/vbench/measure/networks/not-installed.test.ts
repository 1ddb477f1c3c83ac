import { expect, test, vi } from 'vitest'
import { openNetwork } from './runtime.ts'

vi.mock('onnxruntime-node', () => {
  throw new Error('Cannot find package')
})

test('explains how to install ONNX Runtime when it is missing', async () => {
  await expect(openNetwork('dino.onnx')).rejects.toMatchObject({
    message: 'The networks need onnxruntime-node, which is not installed here.',
    hint: expect.stringContaining('npm install') as string,
  })
})
