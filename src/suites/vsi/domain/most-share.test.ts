import { expect, it } from 'vitest'
import { Random } from '../../../suite.ts'
import { buildScene, fromYawPitch, generateScene, prepareScene, Renderer } from '../../../world.ts'
import { cameraFor } from './camera.ts'
import { sharesFrom } from './evidence.ts'
import { mostShares } from './most-share.ts'

it('is never less than what a drawing of the object covers, and says what cannot be in the image', () => {
  const { mesh, objects } = buildScene(generateScene({ seed: 7, kind: 'kitchen' }), { light: false })
  const renderer = new Renderer(prepareScene(mesh))
  const camera = cameraFor({ kind: 'builtin' })
  const random = new Random('most-share')
  let drawn = 0
  let ruledOut = 0
  for (let i = 0; i < 60; i++) {
    const pose = fromYawPitch(
      [random.range(-2, 4), random.range(-2, 4), 1.5],
      random.range(0, 360),
      random.range(-40, 20),
    )
    const scale = random.pick([1 / 4, 1 / 8])
    const shares = sharesFrom(renderer, camera, pose, scale)
    const most = mostShares(mesh, camera, scale)
    for (const { instance } of objects) {
      const share = shares.get(instance) ?? 0
      expect(most(instance, pose)).toBeGreaterThanOrEqual(share)
      if (share > 0) drawn += 1
      else if (most(instance, pose) === 0) ruledOut += 1
    }
  }
  expect(drawn).toBeGreaterThan(100)
  expect(ruledOut).toBeGreaterThan(100)
})
