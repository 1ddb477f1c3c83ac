import { expect, test, vi } from 'vitest'
import { openNetwork } from './runtime.ts'

vi.mock('onnxruntime-node', () => {
  throw new Error('Cannot find package')
})

test('explains how to install ONNX Runtime when it cannot be loaded', async () => {
  await expect(openNetwork('dino.onnx', 'cpu')).rejects.toMatchObject({
    message: expect.stringContaining('onnxruntime-node') as string,
    setup: true,
    hint: expect.stringContaining('npm install') as string,
  })
})
