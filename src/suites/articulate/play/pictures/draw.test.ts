import { describe, expect, it } from 'vitest'
import { writeUrdf } from '../../../../world.ts'
import { buildArticulated } from '../../domain/objects/catalogue.ts'
import { trueRobot } from '../../domain/objects/model.ts'
import { evaluate } from '../../measure/evaluate.ts'
import { buildFrom } from '../../parse/answer.ts'
import { cameraFor } from './cameras.ts'
import { drawStill, drawSweep } from './draw.ts'
import { partFrames, rangeOf, reachedBox } from '../../domain/objects/pose.ts'
import { jointOfPart } from '../show.ts'

const SIZE = { width: 200, height: 150 }

describe('a sweep', () => {
  it.each([
    ['window', 'sash'],
    ['box', 'lid'],
  ])('of a %s looks at its ends as stills do, panes of glass included', (category, kind) => {
    const model = buildArticulated(category, 1)
    const robot = trueRobot(model)
    const part = model.parts.find(({ name }) => name.startsWith(kind))?.name ?? model.joints[0]!.child
    const joint = jointOfPart(robot, part)!
    const camera = cameraFor('front', reachedBox(model, robot), SIZE)
    const film = drawSweep(model, robot, joint.name, camera, { ...SIZE, frames: 2 })
    const ends = rangeOf(joint).toSorted((a, b) => Math.abs(a) - Math.abs(b))
    for (const [i, q] of ends.entries()) {
      const still = drawStill(model, partFrames(robot, { [joint.name]: q }), camera, SIZE)
      const off = film[i]!.data.reduce((sum, value, at) => sum + Number(Math.abs(value - still.data[at]!) > 8), 0)
      // Shadows of moving parts are not on the ground of a sweep.
      expect(off / still.data.length).toBeLessThan(0.03)
    }
  })

  it.each(['1e300', '1e20', '-1e300'])('of a slide to %s m is drawn, with traces and without', (far) => {
    const model = buildArticulated('cabinet', 1)
    const drawer = model.joints.find(({ type }) => type === 'prismatic')!.child
    const urdf = writeUrdf(trueRobot(model)).replaceAll(/(<limit[^>]*upper=")[^"]*/g, `$1${far}`)
    const built = buildFrom('```xml\n' + urdf + '```', model.shelf)
    if (built.kind !== 'robot') throw new Error(built.problem)
    const camera = cameraFor('front', reachedBox(model, trueRobot(model)), SIZE)
    const joint = jointOfPart(built.robot, drawer)!
    for (const traces of [false, true])
      expect(drawSweep(model, built.robot, joint.name, camera, { ...SIZE, frames: 3, traces })).toHaveLength(3)
    const found = evaluate(model, built.robot, 'fixed').joints.find(({ child }) => child === drawer)!
    expect(found).toMatchObject({ success: false, diff: { sweepError: 10 } })
  })
})
