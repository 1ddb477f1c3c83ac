import { expect, it } from 'vitest'
import { MissingAssetError, toMissingAsset, UserError } from './errors.ts'
import { missingPart, partProblem } from './optional-parts.ts'

const absent = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /x.js`), { code: 'ERR_MODULE_NOT_FOUND' })

it.each([
  [absent('onnxruntime-node'), 'onnxruntime-node is not installed'],
  // Its own download failed: the package is there, its binary is not.
  [
    Object.assign(new Error("Cannot find module '../bin/linux/x64/binding.node'\nRequire stack:"), {
      code: 'MODULE_NOT_FOUND',
    }),
    "onnxruntime-node does not work on this machine: Cannot find module '../bin/linux/x64/binding.node'",
  ],
  [missingPart('onnxruntime-node', absent('onnxruntime-node')), 'onnxruntime-node is not installed'],
])('says why a part cannot be used: %s', (error, problem) => {
  expect(partProblem('onnxruntime-node', error)).toBe(problem)
})

it('does not take a missing part for a missing file of one sample', () => {
  const part = missingPart('sharp', absent('sharp'))
  expect(() => toMissingAsset(part)).toThrow(part)
  expect(() => toMissingAsset(new UserError('video.mp4 is damaged.'))).toThrow(MissingAssetError)
})
