/** Geometry on a scan of a million triangles: CPU seconds to index it and to find its free floor, and rates of use. */
import { film } from '../src/world/film/film.ts'
import { planTour } from '../src/world/film/tour.ts'
import { freeSpace, percentileBounds, TriangleTree } from '../src/world/geometry/index.ts'
import type { TriangleMesh } from '../src/world/mesh.ts'
import { fromYawPitch, type Vec3 } from '../src/world/render/camera.ts'
import { Random } from '../src/base/random.ts'
import { Walker } from '../src/world/walk/walker.ts'
import { type BenchResult, cpuSeconds, median } from './harness.ts'

/** A room of 10 × 10 m as a scanner sees it: floor, walls and forty round tables of fine triangles, about a million. */
function scannedRoom(): TriangleMesh {
  const positions: number[] = []
  const indices: number[] = []
  const sheet = (point: (u: number, v: number) => Vec3, nu: number, nv: number) => {
    const first = positions.length / 3
    for (let j = 0; j <= nv; j++) for (let i = 0; i <= nu; i++) positions.push(...point(i / nu, j / nv))
    for (let j = 0; j < nv; j++) {
      for (let i = 0; i < nu; i++) {
        const a = first + j * (nu + 1) + i
        indices.push(a, a + 1, a + nu + 1, a + 1, a + nu + 2, a + nu + 1)
      }
    }
  }
  const random = new Random('scanned room')
  const noise = () => random.range(-0.005, 0.005)
  sheet((u, v) => [u * 10, v * 10, noise()], 350, 350)
  sheet((u, v) => [u * 10, noise(), v * 2.5], 300, 75)
  sheet((u, v) => [u * 10, 10 + noise(), v * 2.5], 300, 75)
  sheet((u, v) => [noise(), u * 10, v * 2.5], 300, 75)
  sheet((u, v) => [10 + noise(), u * 10, v * 2.5], 300, 75)
  for (let table = 0; table < 40; table++) {
    const [x, y] = [1 + (table % 8) * 1.15, 1 + Math.floor(table / 8) * 2]
    sheet(
      (u, v) => [x + 0.3 * Math.cos(u * 2 * Math.PI) + noise(), y + 0.3 * Math.sin(u * 2 * Math.PI) + noise(), v * 0.8],
      110,
      65,
    )
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices), materials: [] }
}

async function cpu(work: () => unknown, runs = 3): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) times.push(await cpuSeconds(work))
  return median(times)
}

const RAYS = 50_000
const MOVES = 500
const FILM_FRAMES = 100

export default async function bench(): Promise<BenchResult> {
  const mesh = scannedRoom()
  const tree = new TriangleTree(mesh)
  const random = new Random('rays')
  const rays = Array.from({ length: RAYS }, (): [Vec3, Vec3] => {
    const { forward } = fromYawPitch([0, 0, 0], random.range(0, 360), random.range(-40, 20))
    return [[random.range(0.5, 9.5), random.range(0.5, 9.5), 1.6], forward]
  })
  const walker = new Walker(mesh, { floor: 0 })
  const stroll = () => {
    const steps = new Random('stroll')
    let pose = fromYawPitch([0.4, 0.4, 1.6], 45)
    for (let i = 0; i < MOVES; i++) {
      const turnDegrees = steps.range(-90, 90)
      pose = walker.move(pose, { turnDegrees, forwardMeters: steps.range(0, 1), leftMeters: 0, upMeters: 0 }).pose
    }
  }
  stroll()
  const space = freeSpace(mesh)
  const tour = planTour(mesh, { space })
  const picture = { width: 640, height: 480, channels: 3 as const, data: new Uint8Array(640 * 480 * 3) }
  for (let i = 0; i < picture.data.length; i++) picture.data[i] = (i * 7) & 255
  const short = { ...tour, frames: tour.frames.slice(0, FILM_FRAMES) }
  const rayTime = await cpu(() => rays.forEach(([from, direction]) => tree.raycast(from, direction)))
  return {
    figures: {
      triangles: mesh.indices.length / 3,
      'bounds, CPU s': await cpu(() => percentileBounds(mesh.positions, 2, 98)),
      'tree, CPU s': await cpu(() => new TriangleTree(mesh)),
      'rays a CPU second': RAYS / rayTime,
      'moves, CPU ms each': ((await cpu(stroll)) / MOVES) * 1000,
      'free space, CPU s': await cpu(() => freeSpace(mesh)),
      'tour, CPU s': await cpu(() => planTour(mesh, { space })),
      'film 640 × 480, CPU ms per frame': ((await cpu(() => film(short, () => picture, picture))) / FILM_FRAMES) * 1000,
    },
    bars: { 'moves, CPU ms each': { atMost: 5 } },
  }
}
