import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MissingAssetError } from '../../../../base/errors.ts'
import type { Track, TrackPoint } from '../../../../media/flow/index.ts'
import type { Bitmap } from '../../../../media/index.ts'
import { type Camera, prepareScene, project, Renderer, unproject } from '../../../../world/render/index.ts'
import { type Frame, isMovable, moved, type Robot, type Vec3 } from '../../../../world/urdf/index.ts'
import { buildArticulated } from '../../domain/objects/catalogue.ts'
import { type ArticulatedModel, trueRobot } from '../../domain/objects/model.ts'
import { cameraFor } from './cameras.ts'
import { drawSweep } from './draw.ts'
import { filmsFingerprint, filmsIn } from '../../domain/films.ts'
import { filmFrames } from './film.ts'
import { drawFlowTraces, FlowTraces } from './flow-traces.ts'
import { partFrames, rangeOf, reachedBox, wholeBox } from '../../domain/objects/pose.ts'
import { sweepVideo } from '../show.ts'
import { posedMesh } from './stage.ts'

const SIZE = { width: 480, height: 360 }
const FRAMES = 24

interface Sweep {
  model: ArticulatedModel
  robot: Robot
  camera: Camera
  film: Bitmap[]
  poses: Map<string, Frame>[]
}

function sweepOf(category: string, seed: number): Sweep {
  const model = buildArticulated(category, seed)
  const robot = trueRobot(model)
  const joint = robot.joints.find((each) => isMovable(each))!
  const camera = cameraFor('front', reachedBox(model, robot), SIZE)
  const film = drawSweep(model, robot, joint.name, camera, { ...SIZE, frames: FRAMES })
  const [lower, upper] = rangeOf(joint)
  const [from, to] = Math.abs(lower) <= Math.abs(upper) ? [lower, upper] : [upper, lower]
  const poses = film.map((_, i) => partFrames(robot, { [joint.name]: from + ((to - from) * i) / (FRAMES - 1) }))
  return { model, robot, camera, film, poses }
}

function flowTraces(film: readonly Bitmap[]): readonly Track[] {
  const flow = new FlowTraces(film.length)
  for (const frame of film) flow.next(frame)
  return flow.traces(film[0]!)
}

/** Where what is seen at a trace's beginning really goes. */
function exactPath({ model, camera, poses }: Sweep, { start, points }: Track): TrackPoint[] {
  const pose = poses[start]!
  const mesh = posedMesh(model, pose, { diagonal: 1, ground: wholeBox(model, pose).min[2] })
  const seen = new Renderer(prepareScene(mesh)).render(camera, { ...SIZE, color: false, depth: true, ids: true })
  const { x, y } = points[0]!
  const at = Math.floor(y) * SIZE.width + Math.floor(x)
  const id = seen.ids[at]!
  if (id === 0) return points.map(() => ({ x, y }))
  const name = model.parts[id - 1]!.name
  const f = pose.get(name)!
  const [dx, dy, dz] = unproject(camera, x, y, seen.depth[at]!).map((value, i) => value - f[i * 4 + 3]!)
  const along = (k: number): number => f[k]! * dx! + f[4 + k]! * dy! + f[8 + k]! * dz!
  const local: Vec3 = [along(0), along(1), along(2)]
  return points.map((_, i) => project(camera, moved(poses[start + i]!.get(name)!, local)))
}

function errors(sweep: Sweep, traces: readonly Track[]): number[] {
  return traces
    .flatMap((trace) => {
      const exact = exactPath(sweep, trace)
      return trace.points.slice(1).map(({ x, y }, i) => Math.hypot(x - exact[i + 1]!.x, y - exact[i + 1]!.y))
    })
    .sort((a, b) => a - b)
}

describe('traces from optical flow', () => {
  // Kinds that are followed well; the README says how all of them fare.
  it.each([
    ['door', 2],
    ['cabinet', 1],
    ['laptop', 1],
  ])('follow the exact motion of a %s', (category, seed) => {
    const sweep = sweepOf(category, seed)
    const traces = flowTraces(sweep.film)
    const off = errors(sweep, traces)
    expect(traces.length).toBeGreaterThanOrEqual(4)
    expect(off[off.length >> 1]).toBeLessThan(3)
  })

  it('draws nothing when nothing moves', () => {
    const [frame] = sweepOf('door', 2).film
    expect(flowTraces(Array.from({ length: 6 }, () => frame!))).toEqual([])
  })

  it('draws the trace so far, and a dot only while the point is tracked', () => {
    const blank = (): Bitmap => ({ width: 100, height: 40, channels: 3, data: new Uint8Array(100 * 40 * 3) })
    const trace = { start: 1, points: [10, 40, 70].map((x) => ({ x, y: 20 })) }
    const painted = (frame: number): number[] => {
      const bitmap = blank()
      drawFlowTraces(bitmap, [trace], frame, 6)
      return [10, 40, 70, 90].filter((x) => bitmap.data[(20 * 100 + x) * 3 + 2] === 255)
    }
    expect([0, 1, 2, 3, 5].map((frame) => painted(frame))).toEqual([[], [10], [10, 40], [10, 40, 70], [10, 40, 70]])
    const [followed, lost] = [3, 5].map((frame) => {
      const bitmap = blank()
      drawFlowTraces(bitmap, [trace], frame, 6)
      return bitmap.data[(23 * 100 + 70) * 3 + 2]
    })
    expect([followed, lost]).toEqual([255, 0])
  })
})

describe('films', () => {
  let folder: string
  const { film } = sweepOf('door', 2)
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'films-'))
    await writeFile(join(folder, 'door-2-leaf.mp4'), (await sweepVideo(film)).bytes)
    await writeFile(join(folder, 'notes.txt'), 'not a film')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('are found by object and part and change the fingerprint', async () => {
    expect([...(await filmsIn(folder)).keys()]).toEqual(['door-2-leaf'])
    const before = await filmsFingerprint(folder)
    await writeFile(join(folder, 'other-lid.mov'), 'x')
    expect(await filmsFingerprint(folder)).not.toBe(before)
    await expect(filmsIn(join(folder, 'nowhere'))).rejects.toThrow(/folder of films .*nowhere cannot be read/)
  })

  it('are shown from first to last frame, at the image size, with traces on request', async () => {
    const path = join(folder, 'door-2-leaf.mp4')
    const size = { width: 320, height: 240 }
    const [plain, traced] = await Promise.all(
      [false, true].map((traces) => filmFrames(path, { frames: 3, size, traces })),
    )
    expect(plain!.frames.map(({ index }) => index)).toEqual([0, 12, 23])
    expect(plain!.frames[0]!.bitmap).toMatchObject(size)
    const magenta = ({ data }: Bitmap): number =>
      data.filter((value, i) => i % 3 === 2 && value === 255 && data[i - 1]! < 60 && data[i - 2]! > 195).length
    expect(magenta(plain!.frames[2]!.bitmap)).toBe(0)
    expect(magenta(traced!.frames[2]!.bitmap)).toBeGreaterThan(20)
  })

  it.each([
    ['empty', ''],
    ['no film', 'not a film'],
  ])('that are %s: the motion is a missing asset, told without where films lie', async (name, content) => {
    const path = join(folder, `${name}.mp4`)
    await writeFile(path, content)
    const failed = filmFrames(path, { frames: 3, size: { width: 320, height: 240 }, traces: false })
    const error: unknown = await failed.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MissingAssetError)
    expect(String(error)).toContain(`${name}.mp4`)
    expect(String(error)).not.toContain(folder)
  })
})
