/**
 * How right each dimension of VBench is where the truth is known: on films of the built-in generator, and on the same
 * films made worse in a known way. `npm run bench -- vbench-truth --models FOLDER` adds what networks measure.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Bitmap } from '../src/media/index.ts'
import { mean } from '../src/base/numbers.ts'
import { CLIP, framesOf, storyOf } from '../src/suites/vbench/baselines/films/film.ts'
import { CAMERA_MOVES, COLORS, LOOKS, RELATIONS } from '../src/suites/vbench/baselines/films/words.ts'
import { type Dimension, DIMENSIONS, spacedName } from '../src/suites/vbench/domain/dimensions.ts'
import type { PromptFacts } from '../src/suites/vbench/domain/prompts.ts'
import { type Output, TIERS, type VideoResult } from '../src/suites/vbench/domain/results.ts'
import { chooseInstruments } from '../src/suites/vbench/measure/instruments.ts'
import { measureVideo } from '../src/suites/vbench/measure/watch.ts'
import { type Bench, cpuSeconds, median } from './harness.ts'
import { seenMove } from './vbench-truth/camera.ts'
import { cutTo, encoded, flickering, JERKY, PICTURE_DAMAGES } from './vbench-truth/damage.ts'
import { trueMotion } from './vbench-truth/true-motion.ts'

const SEED = 7_041
/** Something acts, the camera moves, both, or neither. */
const MOTIONS = [
  'a ball rolling across the living room floor',
  'a ball rolling across the living room floor, in super slow motion',
  'a ball bouncing through the bathroom',
  'a toy car crossing a kitchen table',
  'a toy car crossing a kitchen table, in super slow motion',
  'a suitcase rolling down a corridor',
  'an office chair spinning in an office',
  'a globe turning on a desk in a classroom',
  'a teddy bear falling in a bedroom',
  'a bicycle riding through a workshop',
  'a chair rocking in a kitchen',
  'a backpack floating through a corridor',
  'a vase on a table in a bedroom',
  'a vase in a kitchen, nothing moves',
  'a bookshelf in a classroom, frozen in time',
  'a toilet in a bathroom, still camera',
  ...CAMERA_MOVES.map((move) => `a bicycle in a workshop, ${move}`),
  ...CAMERA_MOVES.map((move) => `an armchair in a living room, ${move}`),
]
const SUBJECTS = ['a bicycle in a workshop', 'an armchair in a living room', 'a potted plant in an office']
const CLEAN = [
  'a suitcase in a corridor',
  'a globe on a desk in a classroom',
  'three blue cups on a kitchen table',
  'a kitchen',
]

interface Case {
  frames: readonly Bitmap[]
  prompt: string
  facts?: PromptFacts
}

const nobody = () => Promise.reject(new Error('not in a benchmark'))

const bench: Bench = async (args) => {
  const { values: given } = parseArgs({ args: [...args], options: { models: { type: 'string' } } })
  const networks =
    given.models === undefined
      ? []
      : await (
          await import('../src/suites/vbench/measure/open-networks.ts')
        ).openNetworks(given.models, {
          outputs: new Set<Output>([...DIMENSIONS, 'static_filter']),
          device: 'cpu',
          log: console.error,
        })
  const { measures } = chooseInstruments({ dimensions: DIMENSIONS, given: networks, tiers: TIERS })
  const folder = await mkdtemp(join(tmpdir(), 'sightline-vbench-truth-'))
  const figures: Record<string, number> = {}
  const put = (key: string, values: readonly (number | boolean)[], what = 'share right'): void => {
    if (values.length > 0) figures[`${key}: ${what} of ${values.length}`] = mean(values.map(Number))
  }

  /** The values of some outputs on a film; those that nothing measures are left out. */
  async function measured(
    { frames, prompt, facts = {} }: Case,
    outputs: readonly Output[],
  ): Promise<Map<Output, VideoResult>> {
    const wanted = new Map(
      outputs.flatMap((output) => (measures.has(output) ? [[output, measures.get(output)!] as const] : [])),
    )
    if (wanted.size === 0) return new Map()
    const path = join(folder, 'clip.mp4')
    await writeFile(path, await encoded(frames))
    const { signal } = new AbortController()
    const found = await measureVideo(
      { path, signal, prompt: { prompt, facts }, episode: { ask: nobody, keep: nobody } },
      wanted,
    )
    return new Map(Object.entries(found) as [Output, VideoResult][])
  }
  const valueOf = async (film: Case, output: Output): Promise<number | null> =>
    (await measured(film, [output])).get(output)?.value ?? null
  const film = (prompt: string, seed = SEED): Bitmap[] => [...framesOf(prompt, seed, 'moving')]
  const named = (dimension: Output): string => `${spacedName(dimension)} (${measures.get(dimension)?.tier ?? '–'})`

  /** Does the better film get the better value? */
  async function orders(dimension: Dimension, what: string, pairs: readonly (readonly [better: Case, worse: Case])[]) {
    const right: boolean[] = []
    for (const [better, worse] of pairs) {
      const [high, low] = [await valueOf(better, dimension), await valueOf(worse, dimension)]
      if (high !== null && low !== null) right.push(high > low)
    }
    put(`${named(dimension)}, ${what}`, right)
  }

  /** Of what a film shows and of something else: is the right one found, and the wrong one not? */
  async function tells(
    dimension: Dimension,
    cases: readonly { prompt: string; facts: PromptFacts; wrong: PromptFacts; wrongPrompt: string }[],
  ) {
    const right: boolean[] = []
    for (const { prompt, facts, wrong, wrongPrompt } of cases) {
      if (!measures.has(dimension)) return
      const frames = film(prompt)
      const yes = await valueOf({ frames, prompt, facts }, dimension)
      const no = await valueOf({ frames, prompt: wrongPrompt, facts: wrong }, dimension)
      if (yes !== null && no !== null) right.push(yes > no)
    }
    put(`${named(dimension)}, the true prompt above a false one`, right)
  }

  try {
    put(
      'one film: CPU seconds in a new room',
      [await cpuSeconds(() => film('a vase in a bathroom, pan left'))],
      'seconds',
    )
    const again = []
    for (let i = 0; i < 5; i++)
      again.push(await cpuSeconds(async () => encoded(film('a vase in a bathroom, pan left', i))))
    figures['one film: CPU seconds in a known room, with encoding'] = median(again)

    const dynamic: { truth: boolean; seen: boolean }[] = []
    const errors: number[] = []
    const still: boolean[] = []
    for (const prompt of MOTIONS) {
      const { pairs, dynamic: truth } = trueMotion(prompt, SEED)
      const values = await measured({ frames: film(prompt), prompt }, ['dynamic_degree', 'static_filter'])
      const degree = values.get('dynamic_degree')
      dynamic.push({ truth, seen: degree?.value === 1 })
      const seen = degree?.detail?.['pair_scores']
      if (Array.isArray(seen)) pairs.forEach((speed, i) => errors.push(Math.abs(speed - Number(seen[i]))))
      const filter = values.get('static_filter')
      const moves = pairs.some((speed) => speed > 0.01)
      // In between, whether a video is static is a matter of the rule.
      if (filter && (!moves || truth)) still.push((filter.value === 1) === !moves)
    }
    put(
      `${named('dynamic_degree')}, films that move`,
      dynamic.filter(({ truth }) => truth).map(({ seen }) => seen),
    )
    put(
      `${named('dynamic_degree')}, films that hardly move or not at all`,
      dynamic.filter(({ truth }) => !truth).map(({ seen }) => !seen),
    )
    if (errors.length > 0)
      figures[`${named('dynamic_degree')}, speed of a pair: median error in pixels at 256`] = median(errors)
    put(`${named('static_filter')}, static or moving`, still)

    const moves: boolean[] = []
    for (const move of [...CAMERA_MOVES, 'still'] as const)
      for (const subject of SUBJECTS)
        moves.push(seenMove(film(`${subject}, ${move}`)) === storyOf(`${subject}, ${move}`, SEED).camera.move)
    put('camera move from optical flow', moves)

    const clean = CLEAN.map((prompt) => ({ prompt, frames: film(`${prompt}, pan left`) }))
    for (const [name, damage] of Object.entries(PICTURE_DAMAGES))
      await orders(
        'imaging_quality',
        `clean above ${name}`,
        clean.map((one) => [one, { ...one, frames: damage(one.frames) }]),
      )
    const acted = MOTIONS.slice(0, 12).map((prompt) => ({ prompt, frames: film(prompt) }))
    await orders(
      'motion_smoothness',
      'smooth above jerky',
      acted.map((one) => [one, { ...one, frames: JERKY(one.frames) }]),
    )
    const flickers: number[] = []
    for (const { prompt, frames } of clean) {
      for (const levels of [4, 12, 30]) {
        const motionless = frames.map(() => frames[0]!)
        const value = await valueOf({ prompt, frames: flickering(levels)(motionless) }, 'temporal_flickering')
        if (value !== null) flickers.push(Math.abs((1 - value) * 255 - levels))
      }
    }
    figures[`${named('temporal_flickering')}, amplitude: largest error in levels`] = Math.max(...flickers)

    for (const dimension of ['subject_consistency', 'background_consistency'] as const)
      await orders(
        dimension,
        'one film above two films cut together',
        clean.map((one, i) => [one, { ...one, frames: cutTo(clean[(i + 1) % clean.length]!.frames)(one.frames) }]),
      )
    const objects = ['bicycle', 'laptop', 'teddy bear', 'suitcase', 'chair', 'vase']
    const next = <T>(list: readonly T[], i: number): T => list[(i + 1) % list.length]!
    await tells(
      'object_class',
      objects.map((object, i) => ({
        prompt: `a ${object}`,
        facts: { object },
        wrongPrompt: `a ${next(objects, i)}`,
        wrong: { object: next(objects, i) },
      })),
    )
    const both = (a: string, b: string): PromptFacts => ({ object: `${a} and ${b}` })
    await tells(
      'multiple_objects',
      objects.map((object, i) => {
        const [partner, absent] = [next(objects, i), next(objects, i + 1)]
        return {
          prompt: `a ${object} and a ${partner}`,
          facts: both(object, partner),
          wrongPrompt: `a ${object} and a ${absent}`,
          wrong: both(object, absent),
        }
      }),
    )
    const colors = Object.keys(COLORS)
    await tells(
      'color',
      colors.map((color, i) => ({
        prompt: `a ${color} chair`,
        facts: { color },
        wrongPrompt: `a ${next(colors, i)} chair`,
        wrong: { color: next(colors, i) },
      })),
    )
    const opposite = (i: number): string => RELATIONS[i ^ 1]!
    await tells(
      'spatial_relationship',
      RELATIONS.map((relation, i) => {
        const words = (how: string) => ({
          text: `a cup ${how} a suitcase, front view`,
          facts: { relation: { a: 'cup', b: 'suitcase', relation: how } },
        })
        const [yes, no] = [words(relation), words(opposite(i))]
        return { prompt: yes.text, facts: yes.facts, wrongPrompt: no.text, wrong: no.facts }
      }),
    )
    const rooms = ['kitchen', 'bathroom', 'classroom', 'office', 'bedroom']
    await tells(
      'scene',
      rooms.map((scene, i) => ({
        prompt: scene,
        facts: { scene },
        wrongPrompt: next(rooms, i),
        wrong: { scene: next(rooms, i) },
      })),
    )
    await tells(
      'appearance_style',
      LOOKS.map((style, i) => ({
        prompt: `a chair in a kitchen, ${style}`,
        facts: { style },
        wrongPrompt: `a chair in a kitchen, ${next(LOOKS, i)}`,
        wrong: { style: next(LOOKS, i) },
      })),
    )
    await tells(
      'temporal_style',
      CAMERA_MOVES.map((move, i) => ({
        prompt: `a chair in a kitchen, ${move}`,
        facts: {},
        wrongPrompt: `a chair in a kitchen, ${next(CAMERA_MOVES, i)}`,
        wrong: {},
      })),
    )
    await tells(
      'overall_consistency',
      SUBJECTS.map((prompt, i) => ({ prompt, facts: {}, wrongPrompt: next(SUBJECTS, i), wrong: {} })),
    )
    const left = DIMENSIONS.filter((dimension) => !measures.has(dimension))
    if (left.length > 0) console.error(`Not measured without networks (--models): ${left.join(', ')}.`)
    console.error(
      `Films of ${CLIP.width} × ${CLIP.height}, ${CLIP.frames} frames; nothing here counts things or knows people and beauty: no truth for human_action and aesthetic_quality.`,
    )
    return { figures }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export default bench
