import { expect, test } from 'vitest'
import { DataFiles } from './data-files.ts'

const files = new DataFiles({
  'vsi/test': '/data/vsi',
  'vsig/test': '/home/ann/clips/T1/x.MOV',
  'space/test': 'a',
})

test.each([
  ['The video /data/vsi/scannet/a.mp4 is cut off.', 'The video scannet/a.mp4 is cut off.'],
  ['/home/ann/clips/T1/x.MOV: no last frame', 'x.MOV: no last frame'],
  ['not below /data/vsi', 'not below vsi'],
  ['a/b is not an absolute path', 'a/b is not an absolute path'],
])('redacts absolute paths: %s', (message, redacted) => {
  expect(files.redact(message)).toBe(redacted)
})

test('throws a missing asset error for an unknown name', () => {
  expect(files.path('vsi/test', 'the scans')).toBe('/data/vsi')
  expect(() => files.path('constructor', 'the scans')).toThrow('cannot find the scans')
})
