/** Mesh files: CPU seconds to read a scan of a million triangles, in each layout, and to take it from the cache. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadScene, parseMesh, parsePly, PreparedCache, writeGlb, writePly } from '../src/world/formats/index.ts'
import { focalLength, fromYawPitch, Renderer } from '../src/world/render/index.ts'
import type { TriangleMesh } from '../src/world/mesh.ts'
import { type BenchResult, cpuSeconds, median } from './harness.ts'

/** A hilly sheet of 707 × 707 squares: 999,698 triangles, 501,264 vertices, as a scan is stored. */
function sheet(squares = 707): TriangleMesh {
  const side = squares + 1
  const positions = new Float32Array(side * side * 3)
  const colors = new Uint8Array(side * side * 3)
  for (let y = 0, at = 0; y < side; y++) {
    for (let x = 0; x < side; x++, at += 3) {
      positions.set([x * 0.01, y * 0.01, Math.sin(x * 0.1) * Math.cos(y * 0.07)], at)
      colors.set([x & 255, y & 255, (x + y) & 255], at)
    }
  }
  const indices = new Uint32Array(squares * squares * 6)
  for (let y = 0, at = 0; y < squares; y++) {
    for (let x = 0; x < squares; x++, at += 6) {
      const a = y * side + x
      indices.set([a, a + 1, a + side, a + 1, a + side + 1, a + side], at)
    }
  }
  return { positions, indices, colors, materials: [{ name: 'scan', color: [255, 255, 255] }] }
}

function asText({ positions, indices, colors }: TriangleMesh): Uint8Array {
  const lines = [
    'ply\nformat ascii 1.0',
    `element vertex ${positions.length / 3}`,
    'property float x\nproperty float y\nproperty float z',
    'property uchar red\nproperty uchar green\nproperty uchar blue',
    `element face ${indices.length / 3}`,
    'property list uchar int vertex_indices\nend_header',
  ]
  for (let i = 0; i < positions.length; i += 3) {
    const place = [...positions.subarray(i, i + 3)].map((value) => value.toFixed(5)).join(' ')
    lines.push(`${place} ${colors![i]} ${colors![i + 1]} ${colors![i + 2]}`)
  }
  for (let i = 0; i < indices.length; i += 3) lines.push(`3 ${indices[i]} ${indices[i + 1]} ${indices[i + 2]}`)
  return Buffer.from(lines.join('\n'))
}

/** CPU seconds, so that what else runs on the machine does not count. */
async function seconds(work: () => unknown, runs = 5): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) times.push(await cpuSeconds(work))
  return median(times)
}

export default async function bench(): Promise<BenchResult> {
  const mesh = sheet()
  const ply = writePly(mesh)
  const text = asText(mesh)
  const glb = await writeGlb(mesh)
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'))
  try {
    const path = join(folder, 'sheet.ply')
    await writeFile(path, ply)
    const camera = { pose: fromYawPitch([0.5, 0.5, 1.5], 45), lens: focalLength(300, 640, 480) }
    const firstPicture = async (cache?: PreparedCache) => {
      const { scene } = await loadScene(path, cache ? { cache } : {})
      new Renderer(scene).render(camera, { width: 640, height: 480, depth: true, ids: true })
    }
    // The compiler's warm-up belongs to the start of the program, not to each mesh.
    const cold = await seconds(() => firstPicture(), 1)
    const cache = new PreparedCache(join(folder, 'cache'))
    await firstPicture(cache)
    return {
      figures: {
        'PLY binary, 1 M triangles, CPU s': await seconds(() => parsePly(ply, 'sheet.ply')),
        'PLY text, CPU s': await seconds(() => parsePly(text, 'sheet.ply'), 3),
        'GLB, CPU s': await seconds(() => parseMesh(glb, 'sheet.glb'), 3),
        'file to first picture, the very first, CPU s': cold,
        'file to first picture, CPU s': await seconds(() => firstPicture()),
        'cache to first picture, CPU s': await seconds(() => firstPicture(cache)),
      },
      bars: {
        'PLY binary, 1 M triangles, CPU s': { atMost: 0.5 },
        'file to first picture, CPU s': { atMost: 1 },
        'cache to first picture, CPU s': { atMost: 0.15 },
      },
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
