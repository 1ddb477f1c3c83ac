/** The learner finds what words give away, and nothing else. */
import { describe, expect, it } from 'vitest'
import { mean } from '../../base/numbers.ts'
import { Random } from '../../base/random.ts'
import { meanRelativeAccuracy } from '../readers.ts'
import { type ClusteredTask, foldsOf, learnBlind } from './learn.ts'

const NAMES = ['sofa', 'lamp', 'guitar', 'stool', 'desk', 'plant', 'mirror', 'oven', 'crib', 'globe']
const SIDES = ['left', 'right', 'front', 'back'] as const
const SCENES = 45

/** Four tasks per scene. */
function tasksOf(make: (random: Random, scene: number) => ClusteredTask['task']): ClusteredTask[] {
  const random = new Random('audit/test')
  return Array.from({ length: SCENES * 4 }, (_, i) => {
    const scene = Math.floor(i / 4)
    return { cluster: `scene-${scene}`, task: make(random, scene) }
  })
}

function choice(words: string, options: readonly string[], answer: number): ClusteredTask['task'] {
  return { row: 'side', words, target: { kind: 'choice', options, answer } }
}

function number(words: string, answer: number): ClusteredTask['task'] {
  const score = (guess: number): number => meanRelativeAccuracy(guess, answer)
  return { row: 'size', words, target: { kind: 'number', answer, score } }
}

function learned(tasks: readonly ClusteredTask[]) {
  const points = learnBlind(tasks, 0).map((each) => each!)
  return {
    chance: mean(points.map(({ chance }) => chance ?? 0)),
    constant: mean(points.map(({ constant }) => constant)),
    blind: mean(points.map(({ blind }) => blind)),
  }
}

describe('shortcuts that it finds', () => {
  it('an answer that is a function of a name', () => {
    const { constant, blind } = learned(
      tasksOf((random) => {
        const name = random.pick(NAMES)
        return choice(`Where is the ${name} when you stand by the door?`, SIDES, NAMES.indexOf(name) % 4)
      }),
    )
    expect(constant).toBeLessThan(0.45)
    expect(blind).toBeGreaterThan(0.95)
  })

  it('a text that is right more often than others, behind shuffled letters', () => {
    const { constant, blind } = learned(
      tasksOf((random) => {
        const options = random.shuffle([...NAMES]).slice(0, 4)
        const ranks = options.map((option) => NAMES.indexOf(option))
        return choice('Which of these is closest to the door?', options, ranks.indexOf(Math.min(...ranks)))
      }),
    )
    expect(constant).toBeLessThan(0.45)
    expect(blind).toBeGreaterThan(0.85)
  })

  it('a size that follows from the name', () => {
    const { constant, blind } = learned(
      tasksOf((random) => {
        const name = random.pick(NAMES)
        return number(`How long is the ${name}, in centimeters?`, 20 * 1.4 ** NAMES.indexOf(name))
      }),
    )
    expect(constant).toBeLessThan(0.5)
    expect(blind).toBeGreaterThan(0.95)
  })

  it('a moment that follows from the length of a transcript', () => {
    const { constant, blind } = learned(
      tasksOf((random) => {
        const spoken = Array.from({ length: random.between(4, 24) }, () => random.pick(NAMES))
        return number(`The user says: ${spoken.join(' ')}. When does the hand point?`, 500 + 400 * spoken.length)
      }),
    )
    expect(blind).toBeGreaterThan(constant + 0.2)
  })
})

describe('chance that it does not take for a shortcut', () => {
  it('answers drawn at random', () => {
    const { chance, blind } = learned(
      tasksOf((random) =>
        choice(`Where is the ${random.pick(NAMES)} from the ${random.pick(NAMES)}?`, SIDES, random.int(4)),
      ),
    )
    expect(chance).toBe(0.25)
    expect(Math.abs(blind - chance)).toBeLessThan(0.09)
  })

  it('sizes drawn at random', () => {
    const { constant, blind } = learned(
      tasksOf((random) => number(`How long is the ${random.pick(NAMES)}?`, random.range(20, 300))),
    )
    expect(blind - constant).toBeLessThan(0.04)
  })

  it('names that only repeat within their scene', () => {
    const answers = new Random('audit/scenes')
    const byScene = Array.from({ length: SCENES }, () => answers.int(4))
    const { blind } = learned(
      tasksOf((_, scene) => choice(`Where is the door of house number ${1000 + scene}?`, SIDES, byScene[scene]!)),
    )
    expect(blind).toBeLessThan(0.4)
  })
})

it('keeps the tasks of a scene in one fold', () => {
  const tasks = tasksOf((random) => choice('Where?', SIDES, random.int(4)))
  const folds = foldsOf(tasks, [...tasks.keys()], 5, 0)
  expect(folds.flat().sort((a, b) => a - b)).toEqual([...tasks.keys()])
  const scenes = folds.map((fold) => new Set(fold.map((i) => tasks[i]!.cluster)))
  expect(scenes.reduce((sum, { size }) => sum + size, 0)).toBe(SCENES)
})

it('gives the same result for the same seed', () => {
  const tasks = tasksOf((random) => choice(`Where is the ${random.pick(NAMES)}?`, SIDES, random.int(4)))
  expect(learnBlind(tasks, 3)).toEqual(learnBlind(tasks, 3))
})

it('learns nothing from one scene', () => {
  expect(learnBlind([{ cluster: 'only', task: choice('Where?', SIDES, 0) }], 0)).toEqual([null])
})
