/** CPU time of an explore episode without the model: 16 images of a mesh of a million triangles, already loaded. */
import { DataFiles } from '../src/engine/data-files.ts'
import { Random } from '../src/base/random.ts'
import { sha256 } from '../src/base/hash.ts'
import { LruCache } from '../src/base/lru-cache.ts'
import type { Episode } from '../src/engine/suite.ts'
import { NO_USAGE } from '../src/models/types.ts'
import { exploreOptions } from '../src/suites/vsi/options.ts'
import { Explorer } from '../src/suites/vsi/play/explore.ts'
import type { Profile } from '../src/suites/vsi/domain/protocol.ts'
import type { VsiSample } from '../src/suites/vsi/samples/sample.ts'
import { MAX_CACHED_IMAGES, stageOf } from '../src/suites/vsi/domain/scene/stage.ts'
import { buildScene } from '../src/world/rooms/assemble.ts'
import { generateScene } from '../src/world/rooms/generate.ts'
import type { TriangleMesh } from '../src/world/mesh.ts'
import { type Bench, cpuSeconds, median } from './harness.ts'

const TRIANGLES = 1_000_000
const STEPS = 15
const RUNS = 5

/** A room like a scan: a million small unlit triangles with vertex colors. */
function scannedRoom(): TriangleMesh {
  let mesh: TriangleMesh = buildScene(generateScene({ seed: 7, kind: 'living room' }), { light: false }).mesh
  while (mesh.indices.length / 3 < TRIANGLES) mesh = halved(mesh)
  const { positions, indices, triangleMaterials, materials } = mesh
  const colors = new Uint8Array(positions.length)
  for (let corner = 0; corner < indices.length; corner++) {
    const vertex = indices[corner]! * 3
    const { color } = materials[triangleMaterials![Math.floor(corner / 3)]!]!
    const [x, y, z] = [positions[vertex]!, positions[vertex + 1]!, positions[vertex + 2]!]
    // Shading and noise at the scale of decimeters, like the averaged colors of a scan.
    const shade = 0.75 + 0.15 * Math.sin(x * 3 + y * 2) + 0.06 * Math.sin(x * 41 + z * 37) * Math.sin(y * 43)
    for (let c = 0; c < 3; c++) colors[vertex + c] = Math.min(254, color[c]! * shade)
  }
  return { positions, indices: indices.subarray(0, TRIANGLES * 3), colors, materials: [] }
}

/** Splits every triangle at the middle of its longest edge. */
function halved({ positions, indices, triangleMaterials, materials }: TriangleMesh): TriangleMesh {
  const points = Array.from(positions)
  const out = new Uint32Array(indices.length * 2)
  const length = (a: number, b: number): number =>
    Math.hypot(
      points[a * 3]! - points[b * 3]!,
      points[a * 3 + 1]! - points[b * 3 + 1]!,
      points[a * 3 + 2]! - points[b * 3 + 2]!,
    )
  for (let t = 0; t < indices.length; t += 3) {
    let [a, b, c] = [indices[t]!, indices[t + 1]!, indices[t + 2]!]
    if (length(b, c) > length(a, b) && length(b, c) >= length(c, a)) [a, b, c] = [b, c, a]
    else if (length(c, a) > length(a, b)) [a, b, c] = [c, a, b]
    const middle = points.length / 3
    for (let k = 0; k < 3; k++) points.push((points[a * 3 + k]! + points[b * 3 + k]!) / 2)
    out.set([a, middle, c, middle, b, c], t * 2)
  }
  const kinds = new Uint16Array(out.length / 3)
  for (let t = 0; t < kinds.length; t++) kinds[t] = triangleMaterials![t >> 1]!
  return { positions: Float32Array.from(points), indices: out, triangleMaterials: kinds, materials }
}

const QUESTION: VsiSample = {
  id: 'bench',
  cluster: 'bench',
  labels: { type: 'object_counting', dataset: 'bench' },
  type: 'object_counting',
  question: 'How many chair(s) are in this room?',
  options: null,
  truth: '4',
  frequent: '4',
  scene: { kind: 'scan', source: 'bench', dataset: 'scannet', scene: 'scene0000_00' },
  things: null,
  about: null,
}

/** Turns and walks until the last step, like a model that never stops early. */
function wanderer(): Episode<Profile> {
  const random = new Random('bench/vsi/moves')
  let asked = 0
  return {
    profile: 'official',
    epoch: 0,
    has: () => true,
    ask: () => {
      const done = asked > STEPS
      asked += 1
      const move = {
        rotation_angle_degrees: random.between(-90, 90),
        forward_meters: 0.6,
        left_meters: 0,
        z_delta_meters: 0,
      }
      const text = asked === 1 ? '{"selected_angle": 90}' : JSON.stringify({ ...move, answer: done ? 4 : null, done })
      return Promise.resolve({ text, finish: 'stop', usage: NO_USAGE, ms: 0, cached: false })
    },
    keep: (bytes, type) => Promise.resolve({ sha256: sha256(bytes), type, bytes: bytes.length }),
    fileOf: ({ sha256: hash }) => hash,
    files: new DataFiles(),
    note: () => {},
    progress: () => undefined,
    random,
    signal: new AbortController().signal,
  }
}

const bench: Bench = async () => {
  const mesh = scannedRoom()
  const stage = stageOf(mesh, 'bench')
  const options = exploreOptions.parse({ steps: STEPS })
  let pictures = 0
  const episode = (): Promise<number> =>
    cpuSeconds(async () => {
      const { outcome } = await new Explorer(QUESTION, wanderer(), options, stage).play()
      pictures = outcome.pictures
    })
  // Warm-up, for the JIT.
  for (let run = 0; run < 2; run++) await episode()
  const later: number[] = []
  const first: number[] = []
  for (let run = 0; run < RUNS; run++) {
    later.push(await episode())
    // The first question of a scene also renders the four first views, which all its questions share.
    stage.images = new LruCache(MAX_CACHED_IMAGES)
    first.push(await episode())
  }
  return {
    figures: {
      triangles: mesh.indices.length / 3,
      pictures,
      cpuSecondsAnEpisode: median(later),
      cpuSecondsFirstOfAScene: median(first),
    },
    bars: { cpuSecondsAnEpisode: { atMost: 0.6 }, pictures: { atLeast: STEPS + 1 } },
  }
}

export default bench
