/** Speed of the grid world: observing, observing with the solver, generating scenes. Published code: 725, 153 and 126 per second. */
import { type ExplorationState, startExploration, step } from '../src/suites/space/domain/explore/exploration.ts'
import { Progress } from '../src/suites/space/domain/explore/progress.ts'
import { generateScene } from '../src/suites/space/samples/generate.ts'
import type { Scene } from '../src/suites/space/domain/grid/scene.ts'
import { runProxy } from '../src/suites/space/domain/proxies/run.ts'
import { generateQuestions } from '../src/suites/space/samples/questions.ts'
import { type Bench, ratePerSecond } from './harness.ts'

const SCENES = 40

interface Episode {
  scene: Scene
  replies: string[]
}

/** The strategist's explorations as text replies: three rooms, 14 to 18 observations each. */
function episodes(): Episode[] {
  return Array.from({ length: SCENES }, (_, seed) => {
    const scene = generateScene({ seed: `bench/${seed}`, rooms: 3, topology: 1 })
    const replies = runProxy('strategist', scene, 'upstream').turns.map(
      ({ actions }) => `THINK:\nOn to the next place.\nFINAL ANSWER:\nActions: [${actions.join(', ')}]`,
    )
    return { scene, replies }
  })
}

function play({ scene, replies }: Episode, progress?: Progress): number {
  let state: ExplorationState = startExploration(scene, { profile: 'fixed', maxSteps: replies.length + 1 })
  for (const reply of replies) {
    const result = step(state, reply)
    if (result.turn.failed || !result.turn.valid) throw new Error(`The walk failed: ${result.turn.message}`)
    progress?.record(result.turn)
    // Computing the level is part of a step.
    if (progress !== undefined && !(progress.level >= 0)) throw new Error('The level of information is negative.')
    state = result.state
  }
  return replies.length
}

const bench: Bench = () => {
  const played = episodes()
  let seed = 0
  return {
    figures: {
      observeStepsPerSecond: ratePerSecond(() => played.reduce((steps, episode) => steps + play(episode), 0)),
      informedStepsPerSecond: ratePerSecond(() =>
        played.reduce((steps, episode) => steps + play(episode, new Progress(episode.scene, 'fixed')), 0),
      ),
      scenesPerSecond: ratePerSecond(() => {
        for (let i = 0; i < 500; i++) generateScene({ seed: seed++, rooms: 3, topology: 1 })
        return 500
      }),
      // One question of each task with its reference scores. A copy of the scene has no cached data.
      questionSetsPerSecond: ratePerSecond(() => {
        for (const { scene } of played) generateQuestions({ ...scene }, `bench/${seed++}`, 1)
        return played.length
      }),
      datasetScenesPerSecond: ratePerSecond(() => {
        for (let i = 0; i < 100; i++) generateScene({ seed: seed++, rooms: 3, topology: 1, spacing: 'dataset' })
        return 100
      }),
    },
    bars: {
      observeStepsPerSecond: { atLeast: 50_000 },
      informedStepsPerSecond: { atLeast: 1500 },
      scenesPerSecond: { atLeast: 5000 },
      questionSetsPerSecond: { atLeast: 500 },
    },
  }
}

export default bench
