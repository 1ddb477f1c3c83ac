/** The kernel's C++ build, against which its speed is measured. */
import { describe, expect, it } from 'vitest'
import { fieldOfView, fromYawPitch, prepareScene, Renderer } from '../../src/world/render/index.ts'
import { planPasses } from '../../src/world/render/passes.ts'
import { room } from '../../test/support/world/render/meshes.ts'
import { buildNative, checksum, timesOfNative } from './native.ts'

const program = buildNative()

describe.skipIf(program === null)('the C++ build of the kernel', () => {
  it.each([false, true])('draws the same picture, antialiased: %s', (antialias) => {
    const scene = prepareScene(room(true))
    const camera = { pose: fromYawPitch([0, 0, 1.5], 10, -8), lens: fieldOfView(90, 160, 120) }
    const options = { width: 160, height: 120, antialias }
    const drawn = timesOfNative(program!, scene, planPasses(scene, camera, options))
    expect(drawn?.checksum).toBe(checksum(new Renderer(scene).render(camera, options).color))
  })
})
