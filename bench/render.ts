/**
 * Pictures of a furnished room of 0.1, 0.25, 1 and 4 million triangles along a walk, 640 × 480, color + depth + ids.
 * A time is CPU milliseconds, the median over the walk of each pose's best. What is compared is measured in turns, on the
 * same meshes and poses.
 */
import type { TriangleMesh } from '../src/world/mesh.ts'
import { type Camera, prepareScene, type PreparedScene, Renderer } from '../src/world/render/index.ts'
import { KernelEngine } from '../src/world/render/kernel.ts'
import { planPasses } from '../src/world/render/passes.ts'
import { type Bar, type BenchResult, median } from './harness.ts'
import { buildNative, checksum, timesOfNative } from './render/native.ts'
import { buildPeer, timesOfPeer } from './render/peer.ts'
import { furnishedRoom, walk } from './render/room.ts'
import { measureThreads } from './render/threads.ts'

const SIZE = { width: 640, height: 480 }
const OPTIONS = { ...SIZE, depth: true, ids: true }
const POSES = 12
const ROUNDS = 3
const TURNS = 3
const MILLIONS = [0.1, 0.25, 1, 4]
/** By millions of triangles. */
const LLVMPIPE_BARS = new Map([
  [1, 0.1],
  [4, 0.07],
])

export default async function bench(): Promise<BenchResult> {
  const figures: Record<string, number> = {}
  const bars: Record<string, Bar> = {}
  const cameras = walk(POSES, SIZE.width, SIZE.height)
  const llvmpipe = buildPeer('llvmpipe.cpp', ['-lEGL', '-lGLESv2'])
  if (llvmpipe === null) console.log('llvmpipe is not measured: it needs a C++ compiler, libegl-dev and libgles-dev.')

  const native = buildNative()
  if (native === null) console.log('C++ is not measured: it needs a C++ compiler for x86-64.')

  for (const millions of MILLIONS) {
    const name = `${millions} M triangles`
    progress(`${name}: as captured and textured`)
    const mesh = furnishedRoom(millions * 1e6, false)
    const scene = prepareScene(mesh)
    const [ours, textured] = timesOfScenes([scene, prepareScene(furnishedRoom(millions * 1e6, true))], cameras)
    figures[`${name}, ms`] = ours!
    // Before peers take frames in its memory, too.
    if (millions === 1) figures['bytes per triangle'] = scene.memory.buffer.byteLength / scene.triangles
    if (llvmpipe) progress(`${name}: llvmpipe`)
    const peers = llvmpipe && timesOfPeer(llvmpipe, mesh, cameras, [SIZE.width, SIZE.height])
    if (peers) {
      figures[`${name}, llvmpipe, ms`] = bestOfPoses(peers)
      figures[`${name}, ratio to llvmpipe`] = ours! / bestOfPoses(peers)
      const bar = LLVMPIPE_BARS.get(millions)
      if (bar !== undefined) bars[`${name}, ratio to llvmpipe`] = { atMost: bar }
    } else if (llvmpipe) console.log('llvmpipe is not measured: it does not run here.')
    if (native !== null) {
      progress(`${name}: C++`)
      compareNative(native, name, scene, cameras, figures)
    }
    figures[`${name}, textured, ms`] = textured!
    if (millions === 1) {
      progress(`${name}: preparing, threads`)
      await measureMore(mesh, scene, cameras, figures)
    }
  }
  figures['16 times the triangles, times the time'] = figures['4 M triangles, ms']! / figures['0.25 M triangles, ms']!
  bars['16 times the triangles, times the time'] = { atMost: 4 }
  figures['textured to untextured, 1 M'] = figures['1 M triangles, textured, ms']! / figures['1 M triangles, ms']!
  bars['textured to untextured, 1 M'] = { atMost: 1.4 }
  if ('1 M triangles, kernel to C++' in figures) bars['1 M triangles, kernel to C++'] = { atMost: 1.3 }
  bars['two threads to one'] = { atLeast: 1.85 }
  bars['bytes per triangle'] = { atMost: 120 }
  return { figures, bars }
}

/** The table comes at the end, after a minute or more. */
function progress(what: string): void {
  process.stderr.write(`  measuring ${what}\n`)
}

/** The kernel alone, without copying the picture, against the same sources compiled for the machine itself. */
function compareNative(
  program: string,
  name: string,
  scene: PreparedScene,
  cameras: readonly Camera[],
  figures: Record<string, number>,
): void {
  const engine = new KernelEngine(scene)
  const passes = cameras.flatMap((camera) => planPasses(scene, camera, OPTIONS))
  const ours: number[] = []
  const theirs: number[] = []
  for (const { view, wanted } of passes) engine.draw(view, wanted)
  // In turns: what else runs on the machine slows both alike.
  for (let turn = 0; turn < TURNS; turn++) {
    const run = timesOfNative(program, scene, passes)
    if (run === null) {
      console.log('C++ is not measured: it does not run here.')
      return
    }
    theirs.push(...run.times)
    for (let round = 0; round < ROUNDS; round++)
      for (const { view, wanted } of passes) ours.push(timed(() => engine.draw(view, wanted)))
    const last = passes.at(-1)!
    if (checksum(engine.draw(last.view, last.wanted).color) !== run.checksum)
      throw new Error('the kernel and its C++ build drew different pictures')
  }
  figures[`${name}, C++, ms`] = bestOfPoses(theirs)
  figures[`${name}, kernel to C++`] = bestOfPoses(ours) / bestOfPoses(theirs)
}

async function measureMore(
  mesh: TriangleMesh,
  scene: PreparedScene,
  cameras: readonly Camera[],
  figures: Record<string, number>,
): Promise<void> {
  figures['preparing 1 M triangles, ms'] = median([1, 2, 3].map(() => timed(() => prepareScene(mesh))))
  const rates = await measureThreads(scene, cameras, OPTIONS)
  const ratio = (kind: 'lent' | 'kept' | 'alone'): number => median(rates.get(kind)!.map(([one, two]) => two / one))
  figures['pictures per second, one thread'] = median(rates.get('lent')!.map(([one]) => one))
  figures['pictures per second, two threads'] = median(rates.get('lent')!.map(([, two]) => two))
  figures['two threads to one'] = ratio('lent')
  figures['two threads to one, copied pictures'] = ratio('kept')
  figures['two threads to one, drawing alone'] = ratio('alone')
}

/** One time a scene. They are drawn in turns, so that what else runs on the machine slows all alike. */
function timesOfScenes(scenes: readonly PreparedScene[], cameras: readonly Camera[]): number[] {
  const renderers = scenes.map((scene) => new Renderer(scene))
  const times = scenes.map((): number[] => [])
  for (let round = 0; round <= ROUNDS * TURNS; round++)
    for (const [i, renderer] of renderers.entries())
      for (const camera of cameras) {
        const time = timed(() => renderer.render(camera, OPTIONS))
        // The first round only warms up.
        if (round > 0) times[i]!.push(time)
      }
  return times.map(bestOfPoses)
}

/** Rounds of the same walk, one after the other. */
function bestOfPoses(times: readonly number[]): number {
  return median(Array.from({ length: POSES }, (_, pose) => Math.min(...times.filter((_, i) => i % POSES === pose))))
}

/** CPU milliseconds: what else runs on the machine does not count. */
function timed(work: () => unknown): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
