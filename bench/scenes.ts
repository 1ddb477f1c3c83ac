/** Built-in scenes: how fast they are made, and whether a thousand of them keep every rule. */
import { checkScene } from '../src/world/rooms/check.ts'
import { generateScene } from '../src/world/rooms/generate.ts'
import { SCENE_KINDS, sceneHash } from '../src/world/rooms/scene.ts'
import { buildScene } from '../src/world/rooms/assemble.ts'
import { type BenchResult, cpuSeconds, median } from './harness.ts'

const SEEDS = 1000

export default async function scenes(): Promise<BenchResult> {
  const kindOf = (seed: number) => SCENE_KINDS[seed % SCENE_KINDS.length]!
  // From a cold start: the first scenes also model the objects that they are the first to use.
  const seconds = await cpuSeconds(() => {
    for (let seed = 0; seed < SEEDS; seed++) generateScene({ seed, kind: kindOf(seed) })
  })
  let violations = 0
  let objects = 0
  let unequal = 0
  for (let seed = 0; seed < SEEDS; seed++) {
    const scene = generateScene({ seed, kind: kindOf(seed) })
    const found = checkScene(scene)
    for (const { rule, what } of found.slice(0, 3)) console.error(`${scene.kind} ${seed}: ${rule}: ${what}`)
    violations += found.length
    objects += scene.objects.length
    if (seed % 50 === 0 && sceneHash(scene) !== sceneHash(generateScene({ seed, kind: kindOf(seed) }))) unequal++
  }
  const bakes: number[] = []
  for (const seed of [1, 2, 3, 4, 5]) {
    const flat = generateScene({ seed, kind: 'flat' })
    buildScene(flat, { light: false })
    bakes.push(await cpuSeconds(() => buildScene(flat)))
  }
  return {
    figures: {
      scenesPerSecond: SEEDS / seconds,
      violations,
      unequal,
      objectsPerScene: objects / SEEDS,
      flatBuildAndBakeSeconds: median(bakes),
    },
    bars: { scenesPerSecond: { atLeast: 20 }, violations: { atMost: 0 }, unequal: { atMost: 0 } },
  }
}
