/** Mesa's software renderer on the same mesh and poses, if a compiler and EGL are there. */
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TriangleMesh } from '../../src/world/mesh.ts'
import { type Camera, toMatrix } from '../../src/world/render/index.ts'

const NEAR = 0.05
const FAR = 100

/** Compiles a peer; null if that cannot be done here. */
export function buildPeer(source: string, libraries: readonly string[]): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'peer')
  const path = fileURLToPath(new URL(`../peers/${source}`, import.meta.url))
  const flags = ['-O3', '-march=native', '-std=c++17', path, ...libraries, '-o', program]
  const { status } = spawnSync('c++', flags, { stdio: 'ignore' })
  return status === 0 ? program : null
}

/** Times in milliseconds, one a picture; null if the peer does not run here. */
export function timesOfPeer(program: string, mesh: TriangleMesh, cameras: readonly Camera[], size: [number, number]) {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  try {
    const file = join(folder, 'mesh.bin')
    writeMesh(file, mesh, cameras, size)
    const run = spawnSync(program, [file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LP_NUM_THREADS: '0', LIBGL_ALWAYS_SOFTWARE: '1' },
    })
    if (run.status !== 0) return null
    return run.stdout.trim().split('\n').map(Number)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function writeMesh(file: string, mesh: TriangleMesh, cameras: readonly Camera[], [width, height]: [number, number]) {
  const vertices = mesh.positions.length / 3
  const colors = new Uint8Array(vertices * 4).fill(255)
  const instances = new Uint32Array(vertices)
  for (let v = 0; v < vertices; v++) if (mesh.colors) colors.set(mesh.colors.subarray(v * 3, v * 3 + 3), v * 4)
  for (let i = 0; i < mesh.indices.length; i++)
    instances[mesh.indices[i]!] = mesh.triangleInstances?.[Math.floor(i / 3)] ?? 0
  const out = openSync(file, 'w')
  const matrices = cameras.map((camera) => clipMatrix(camera, width, height))
  writeSync(out, Uint32Array.of(width, height, vertices, mesh.indices.length, cameras.length, 3))
  for (const part of [mesh.positions, colors, instances, mesh.indices, ...matrices]) writeSync(out, part)
  closeSync(out)
}

/** World to OpenGL's clip space, in columns. */
function clipMatrix({ pose, lens }: Camera, width: number, height: number): Float32Array {
  const m = toMatrix(pose)
  const rows = [0, 1, 2].map((axis) => {
    const along = [m[axis]!, m[4 + axis]!, m[8 + axis]!]
    return [...along, -along.reduce((sum, value, i) => sum + value * pose.position[i]!, 0)]
  })
  const out = new Float32Array(16)
  for (let column = 0; column < 4; column++) {
    const [right, down, forward] = rows.map((row) => row[column]!) as [number, number, number]
    const last = column === 3 ? 1 : 0
    out.set(
      [
        (2 * lens.fx * right) / width + ((2 * lens.cx) / width - 1) * forward,
        (-2 * lens.fy * down) / height - ((2 * lens.cy) / height - 1) * forward,
        ((FAR + NEAR) / (FAR - NEAR)) * forward - ((2 * FAR * NEAR) / (FAR - NEAR)) * last,
        forward,
      ],
      column * 4,
    )
  }
  return out
}
