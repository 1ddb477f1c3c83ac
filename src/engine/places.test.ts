import { expect, test } from 'vitest'
import { registerPlace, withoutPlaces } from './places.ts'

test.each([
  ['The video /data/vsi/scannet/a.mp4 is cut off.', 'The video scannet/a.mp4 is cut off.'],
  ['/home/ann/clips/T1/x.MOV: no last frame', 'x.MOV: no last frame'],
  ['not below /data/vsi', 'not below vsi'],
  ['a/b is no path of this machine', 'a/b is no path of this machine'],
])('a log says which file it was, not where it lies: %s', (message, told) => {
  registerPlace('vsi/test', '/data/vsi')
  registerPlace('vsig/test', '/home/ann/clips/T1/x.MOV')
  registerPlace('space/test', 'a')
  expect(withoutPlaces(message)).toBe(told)
})
