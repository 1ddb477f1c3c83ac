/** Mesh files: seconds to read a scan of a million triangles, in each layout, and to take it from the cache. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packArrays, parseMesh, parsePly, PreparedCache, writeGlb, writePly } from '../src/world/formats/index.ts'
import type { TriangleMesh } from '../src/world/mesh.ts'
import { type BenchResult, median } from './harness.ts'

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

async function seconds(work: () => unknown, runs = 5): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await work()
    times.push((performance.now() - start) / 1000)
  }
  return median(times)
}

export default async function bench(): Promise<BenchResult> {
  const mesh = sheet()
  const ply = writePly(mesh)
  const text = asText(mesh)
  const glb = await writeGlb(mesh)
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'))
  try {
    const cache = new PreparedCache(folder)
    const { positions, indices } = mesh
    await cache.put('sheet', { meta: {}, arrays: { positions, indices, colors: mesh.colors! } })
    return {
      figures: {
        'PLY binary, 1 M triangles, s': await seconds(() => parsePly(ply, 'sheet.ply')),
        'PLY binary with hash, s': await seconds(() => parseMesh(ply, 'sheet.ply')),
        'PLY text, s': await seconds(() => parsePly(text, 'sheet.ply'), 3),
        'GLB, s': await seconds(() => parseMesh(glb, 'sheet.glb'), 3),
        'arrays from the cache, s': await seconds(() => cache.get('sheet')),
        'bytes a triangle in memory':
          packArrays({
            meta: {},
            arrays: { positions, indices, colors: mesh.colors! },
          }).byteLength /
          (indices.length / 3),
      },
      bars: { 'PLY binary, 1 M triangles, s': { atMost: 0.5 } },
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
