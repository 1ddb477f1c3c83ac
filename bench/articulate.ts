/** How fast a joint sweep is drawn, programs run, and objects are measured and simulated. */
import { videoBackend } from '../src/media/index.ts'
import { buildArticulated, CATEGORIES } from '../src/suites/articulate/domain/objects/catalogue.ts'
import { evaluate } from '../src/suites/articulate/measure/evaluate.ts'
import { fieldMeasures } from '../src/suites/articulate/measure/field.ts'
import { matchedByGeometry } from '../src/suites/articulate/measure/matching.ts'
import { physicsModel } from '../src/suites/articulate/measure/physics/mjcf.ts'
import { solidOf } from '../src/suites/articulate/measure/physics/pieces.ts'
import { simulated } from '../src/suites/articulate/measure/physics/simulate.ts'
import { type ArticulatedModel, trueRobot } from '../src/suites/articulate/domain/objects/model.ts'
import { cameraFor } from '../src/suites/articulate/play/pictures/cameras.ts'
import { drawSweep } from '../src/suites/articulate/play/pictures/draw.ts'
import { reachedBox } from '../src/suites/articulate/domain/objects/pose.ts'
import { runProgram } from '../src/suites/articulate/parse/program/index.ts'
import { writeProgram } from '../src/suites/articulate/domain/objects/write-program.ts'
import type { ObjectMesh } from '../src/world/objects/shapes.ts'
import { isMovable } from '../src/world/urdf/index.ts'
import { type BenchResult, cpuSeconds, median, ratePerSecond } from './harness.ts'

const SIZE = { width: 640, height: 480 }
const FRAMES = 36
const TRIANGLES = 50_000
const RUNS = 5

export default async function articulate(): Promise<BenchResult> {
  const model = dense(buildArticulated('cabinet', 3))
  const robot = trueRobot(model)
  const joint = robot.joints.find((candidate) => isMovable(candidate))!.name
  const camera = cameraFor('front', reachedBox(model, robot), SIZE)
  const draw = (): ReturnType<typeof drawSweep> => drawSweep(model, robot, joint, camera, { ...SIZE, frames: FRAMES })
  // Light is baked once an object.
  const first = await cpuSeconds(draw)
  const sweeps: number[] = []
  for (let i = 0; i < RUNS; i++) sweeps.push(await cpuSeconds(draw))
  const frames = draw()
  const backend = await videoBackend()
  const encode = await cpuSeconds(() => backend.encode(frames, { ...SIZE, fps: 12 }))
  const source = writeProgram(model)
  const shelf = model.shelf
  const programs = ratePerSecond(() => {
    runProgram(source, { profile: 'fixed', shelf })
    return 1
  })
  const measured = CATEGORIES.map((category) => {
    const object = buildArticulated(category, 1)
    return { object, built: runProgram(writeProgram(object), { profile: 'fixed', shelf: object.shelf }).robot() }
  })
  let at = 0
  const objects = ratePerSecond(() => {
    const { object, built } = measured[at++ % measured.length]!
    evaluate(object, built, 'fixed')
    fieldMeasures(object, built)
    matchedByGeometry(object, built)
    return 1
  })
  const physics: number[] = []
  for (const { object, built } of measured)
    physics.push(await cpuSeconds(() => simulated(physicsModel(built, object.parts.map(solidOf)))))
  return {
    figures: {
      geometryObjectsPerSecond: objects,
      physicsCpuSecondsPerObject: median(physics.slice(1)),
      physicsCpuSecondsSlowest: Math.max(...physics.slice(1)),
      triangles: model.parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0),
      firstSweepCpuSeconds: first,
      sweepCpuSeconds: median(sweeps),
      mp4CpuSeconds: encode,
      programsPerSecond: programs,
    },
    bars: { sweepCpuSeconds: { atMost: 1.5 }, geometryObjectsPerSecond: { atLeast: 20 } },
  }
}

/** The object with its triangles cut into four until there are enough. */
function dense(model: ArticulatedModel): ArticulatedModel {
  let parts = model.parts
  while (parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0) < TRIANGLES)
    parts = parts.map((part) => ({ ...part, mesh: quartered(part.mesh) }))
  return { ...model, parts }
}

function quartered(mesh: ObjectMesh): ObjectMesh {
  const positions = Array.from(mesh.positions)
  const normals = Array.from(mesh.normals)
  const uvs = Array.from(mesh.uvs)
  const indices: number[] = []
  const materials: number[] = []
  const between = (values: number[], width: number, a: number, b: number): void => {
    for (let k = 0; k < width; k++) values.push((values[a * width + k]! + values[b * width + k]!) / 2)
  }
  const middle = (a: number, b: number): number => {
    between(positions, 3, a, b)
    between(normals, 3, a, b)
    between(uvs, 2, a, b)
    return positions.length / 3 - 1
  }
  for (let t = 0; t < mesh.indices.length; t += 3) {
    const [a, b, c] = [mesh.indices[t]!, mesh.indices[t + 1]!, mesh.indices[t + 2]!]
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)]
    indices.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca)
    for (let k = 0; k < 4; k++) materials.push(mesh.triangleMaterials[t / 3]!)
  }
  return {
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    uvs: new Float32Array(uvs),
    indices: new Uint32Array(indices),
    triangleMaterials: new Uint16Array(materials),
    materials: mesh.materials,
  }
}
