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
  ['a/b is no path of this machine', 'a/b is no path of this machine'],
])('a log names the file, not the folders above its source: %s', (message, redacted) => {
  expect(files.redact(message)).toBe(redacted)
})

test('a name that the source does not have is a missing asset', () => {
  expect(files.path('vsi/test', 'the scans')).toBe('/data/vsi')
  expect(() => files.path('constructor', 'the scans')).toThrow('the scans cannot be found')
})
