import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mean } from '../../../base/numbers.ts'
import { Random } from '../../../base/random.ts'
import { generateScene } from './generate.ts'
import type { Topology } from './layout.ts'
import { bearingDegrees } from '../domain/grid/relations.ts'
import { NORTH, type Scene } from '../domain/grid/scene.ts'
import { sceneFromJson } from '../domain/grid/scene-json.ts'
import { entityNamed, isVisible, visibleEntities } from '../domain/grid/view.ts'
import { PROFILES, type Profile } from '../domain/profile.ts'
import { generateQuestions, hasAllTasks } from './questions.ts'
import { movesText, walk, walkThroughWalls } from '../domain/explore/moves.ts'
import { possibleCells } from '../domain/answers/place.ts'
import { matchesView } from '../domain/answers/sightings.ts'
import { aboveGuessing, constantAnswer } from '../domain/answers/reference.ts'
import { type Question, TASK_NAMES } from '../domain/answers/question.ts'
import { formOf, scoreReply } from '../domain/answers/forms.ts'

const ORACLE = new URL('../../../../conformance/oracle/space/', import.meta.url)

/** Two, three and four rooms, with and without spacing rules. */
function scenes(count: number): Scene[] {
  return Array.from({ length: count }, (_, i) => {
    const rooms = 2 + (i % 3)
    const topology = (i % 3) as Topology
    return generateScene({ seed: `tasks/${i}`, rooms, topology, spacing: i % 2 === 0 ? 'free' : 'dataset' })
  })
}

function asked(profile: Profile, count: number): { scene: Scene; question: Question }[] {
  return scenes(count).flatMap((scene, i) =>
    generateQuestions(scene, `tasks/${i}`, 3, profile).map((question) => ({ scene, question })),
  )
}

const many = { upstream: asked('upstream', 100), fixed: asked('fixed', 100) }

describe.each(PROFILES)('profile %s', (profile) => {
  test('a perfect map scores 100 unless the position is ambiguous', () => {
    for (const { scene, question } of many[profile]) {
      const answer = formOf(question.answer, scene).perfect(profile)
      const { score, formatError } = formOf(question.answer, scene).score(answer, profile)
      expect(formatError).toBe(0)
      if (question.answer.form !== 'place') expect(score, `${question.text}\n${answer}`).toBe(1)
      else if (possibleCells(question.answer, scene).length === 1) expect(score).toBe(1)
    }
  })

  test.each(TASK_NAMES)('%s: perfect, random and constant answers score as computed', (task) => {
    const rows = many[profile].filter(({ question }) => question.task === task)
    expect(rows.length).toBeGreaterThan(100)
    const random = new Random(`lines/${task}`)
    const scored = (answer: (row: (typeof rows)[number]) => string) =>
      rows.map((row) => formOf(row.question.answer, row.scene).score(answer(row), profile).score)
    const line = (name: 'chance' | 'constant' | 'ceiling') => rows.map(({ question }) => question[name])
    const guesses = Array.from({ length: 10 }, () =>
      scored(({ question, scene }) => formOf(question.answer, scene).random(random, profile)),
    )
    // Three standard errors of the mean of independent scores in [0, 1], plus the sampling error of the chance level.
    const interval = 3 * Math.sqrt(0.25 / (rows.length * guesses.length)) + 0.005
    expect(Math.abs(mean(guesses.flat()) - mean(line('chance')))).toBeLessThan(interval)
    expect(mean(scored(({ question, scene }) => constantAnswer(question, scene, profile)))).toBeCloseTo(
      mean(line('constant')),
      10,
    )
    expect(
      Math.abs(
        mean(scored(({ question, scene }) => formOf(question.answer, scene).perfect(profile))) - mean(line('ceiling')),
      ),
    ).toBeLessThan(0.03)
  })

  test('questions match their scene, and their routes are legal', () => {
    for (const { scene, question } of many[profile]) {
      const { answer } = question
      if (answer.form === 'place') expect(matchesView(answer.view, answer.pose, scene)).toBe(true)
      if (answer.form === 'route') {
        const moves = formOf(question.answer, scene).perfect(profile)
        expect(moves).not.toContain('initial_pos')
        expect(matchesView(answer.view, answer.to, scene)).toBe(true)
      }
      if (answer.form === 'order') expect(answer.order.length).toBeGreaterThanOrEqual(3)
      expect(question.text.endsWith('\n')).toBe(true)
      expect(question.text).not.toMatch(/\{[a-z_]+\}|undefined|NaN/)
    }
  })
})

describe('questions', () => {
  const scene = generateScene({ seed: 'one' })

  test('depend only on their key and task', () => {
    const all = generateQuestions(scene, 'key', 3, 'fixed')
    expect(generateQuestions(scene, 'key', 3, 'fixed')).toEqual(all)
    expect(generateQuestions(scene, 'key', 3, 'fixed', ['rot'])).toEqual(all.filter(({ task }) => task === 'rot'))
    expect(generateQuestions(scene, 'other', 3, 'fixed')).not.toEqual(all)
    expect(hasAllTasks(all)).toBe(true)
  })

  test('are plain JSON', () => {
    const all = generateQuestions(scene, 'key', 3, 'fixed', TASK_NAMES)
    expect(JSON.parse(JSON.stringify(all))).toEqual(all)
  })

  test('are unique under fixed; upstream keeps duplicates under another id', () => {
    const tiny = generateScene({ seed: 'tiny', rooms: 1, objectsPerRoom: 2 })
    const fixed = generateQuestions(tiny, 'k', 6, 'fixed', ['dir'])
    const upstream = generateQuestions(tiny, 'k', 6, 'upstream', ['dir'])
    expect(new Set(fixed.map(({ text }) => text)).size).toBe(fixed.length)
    expect(upstream).toHaveLength(6)
    expect(upstream.some(({ id }) => id.includes('_dup'))).toBe(true)
    expect(new Set(upstream.map(({ id }) => id)).size).toBe(6)
  })

  test('are left out for a scene that is too small', () => {
    const tiny = generateScene({ seed: 'tiny', rooms: 1, objectsPerRoom: 1 })
    expect(generateQuestions(tiny, 'k', 3, 'fixed', ['dir', 'e2a', 'rot'])).toEqual([])
  })

  test('have the wording of the published ones', () => {
    const file = JSON.parse(readFileSync(new URL('scoring.json', ORACLE), 'utf8')) as {
      tasks: Record<string, { question: string }[]>
    }
    const ours = many.upstream
    for (const task of TASK_NAMES) {
      const shapes = new Set(
        ours.filter(({ question }) => question.task === task).map(({ question }) => shape(question.text)),
      )
      for (const { question } of file.tasks[task]!) expect(shapes, question).toContain(shape(question))
    }
  })

  /** A question without its scene-specific parts: names, numbers, labels, views. */
  function shape(text: string): string {
    return text
      .replace(/^\d+\. .*\n(?:\d+\. .*\n)*/m, 'STEPS\n')
      .replace(/(?<=orientation:\n)(?:.+\n)+/, 'FACINGS\n')
      .replace(/(?<=You observe that ).*(?=\.\n)/, (view) => (view.includes('<image>') ? view : 'VIEW'))
      .replace(/(?<=You observe the following:\n).*/, (view) => (view.includes('<image>') ? view : 'VIEW'))
      .replace(/(?<=You observe: )(?!<image>).*/, 'VIEW')
      .replace(/Objects: .*\./, 'OBJECTS')
      .replace(/set of objects: .*\./, 'OBJECTS')
      .replace(/\b(counter)?clockwise\b/, 'TURN')
      .replace(/(?<=face )(?:north|east|south|west)(?=\.\n(?:You observe|What is the ego))/, 'HEADING')
      .replace(/You move to \(-?\d+, -?\d+\)/, 'You move to PLACE')
      .replace(
        /(?:Still treat your initial position as origin \(0, 0\)|Treat the .* door as the new 'origin' \(0, 0\)\.)\n/,
        'ORIGIN\n',
      )
      .replace(/describe where .* is relative to .*\./, 'PAIR')
      .replace(/jump to .*'s direction/, 'jump to X')
      .replace(/where .* is relative to you/, 'where X is')
      .replace(/relation of .*\?/, 'relation of X?')
      .replace(/the .*'s facing/, 'the X facing')
      .replace(/Where is .* relative to .*\?/, 'PAIR')
  }
})

test('coordinates are never counted from what a question asks for or tells', () => {
  const located = many.fixed.filter(({ question: { task } }) => task === 'fwd_loc' || task === 'bwd_loc_text')
  const fromDoors = located.flatMap(({ question: { text } }) => {
    const door = /Treat the (.*) as the new 'origin'/.exec(text)?.[1]
    return door === undefined ? [] : [{ door, text }]
  })
  expect(fromDoors.length).toBeGreaterThan(100)
  for (const { door, text } of fromDoors) expect(text.split(door)).toHaveLength(2)
})

describe('view to action', () => {
  test('accepts a jump through a wall under upstream only', () => {
    const found = many.fixed.flatMap(({ scene, question }) => {
      if (question.task !== 'bwd_nav_text' || question.answer.form !== 'route') return []
      const { to, from, view } = question.answer
      const target = scene.objects.find(({ pos }) => pos[0] === to.pos[0] && pos[1] === to.pos[1])
      if (!target || target.room === scene.start.room) return []
      for (const turn of [0, 90, 180, 270]) {
        for (const last of [0, 90, 180, 270]) {
          const steps = [{ turn }, { jump: target.name }, { turn: last }]
          const through = walkThroughWalls(scene, steps, from)
          if (through.pose && matchesView(view, { ...through.pose, rooms: to.rooms }, scene))
            return [{ scene, question, steps }]
        }
      }
      return []
    })
    expect(found.length).toBeGreaterThan(5)
    for (const { scene, question, steps } of found) {
      const answer = movesText(steps)
      expect(formOf(question.answer, scene).score(answer, 'upstream').score).toBe(1)
      const fixed = formOf(question.answer, scene).score(answer, 'fixed')
      expect(fixed).toMatchObject({ score: 0, formatError: 0, problem: 'target_not_visible', extra: { legal: 0 } })
    }
  })

  test('accepts a detour with lower efficiency', () => {
    const { scene, question } = many.fixed.find(({ question: { task } }) => task === 'bwd_nav_text')!
    const perfect = formOf(question.answer, scene).perfect('fixed')
    const detour = `Rotate(90), Rotate(-90), ${perfect}`
    const { score, extra } = formOf(question.answer, scene).score(detour, 'fixed')
    expect(score).toBe(1)
    expect(extra['efficiency']).toBeLessThan(1)
    expect(formOf(question.answer, scene).score(perfect, 'fixed').extra['efficiency']).toBe(1)
  })

  test('finds shortest routes with legal jumps only', () => {
    for (const { scene, question } of many.fixed) {
      if (question.answer.form !== 'route') continue
      const { from, shortest } = question.answer
      let pose = from
      for (const step of shortest) {
        const target = 'jump' in step ? entityNamed(scene, step.jump) : undefined
        if (target) expect(isVisible(pose, target)).toBe(true)
        const walked = walk(scene, [step], pose)
        expect(walked.problem).toBeNull()
        pose = walked.pose ?? pose
      }
    }
  })
})

test('upstream has the published biases and fixed does not', () => {
  const turnUntilSeen = (profile: Profile) =>
    mean(
      many[profile].flatMap(({ scene, question: { answer } }) => {
        if (answer.form !== 'order') return []
        return answer.order.map((name) => {
          const clockwise = bearingDegrees(scene.start.pos, NORTH, entityNamed(scene, name)!.pos)
          return ((answer.turn === 'clockwise' ? clockwise : -clockwise) + 360) % 360
        })
      }),
    )
  // The published code keeps objects that pass first, so those farther around are asked for less often.
  expect(turnUntilSeen('upstream')).toBeLessThan(170)
  expect(Math.abs(turnUntilSeen('fixed') - 180)).toBeLessThan(10)
  const unknownNames = many.upstream.filter(
    ({ question: { answer } }) =>
      answer.form === 'route' && answer.shortest.some((step) => 'jump' in step && step.jump === 'initial_pos'),
  )
  expect(unknownNames.length).toBeGreaterThan(20)
})

test('scores how close an order is in extra metrics', () => {
  const { scene, question } = many.fixed.find(
    ({ question: { answer } }) => answer.form === 'order' && answer.order.length === 4,
  )!
  if (question.answer.form !== 'order') throw new Error('not an order')
  const [a, b, c, d] = question.answer.order
  expect(formOf(question.answer, scene).score(`${a}, ${b}, ${d}, ${c}`, 'fixed')).toMatchObject({
    score: 0,
    extra: { kendall: 5 / 6, lcs: 3 / 4 },
  })
  expect(formOf(question.answer, scene).score(`${d}, ${c}, ${b}, ${a}`, 'fixed')).toMatchObject({
    score: 0,
    extra: { kendall: 0, lcs: 1 / 4 },
  })
  expect(formOf(question.answer, scene).score(`${a}, ${b}`, 'fixed')).toMatchObject({
    score: 0,
    formatError: 1,
    extra: { lcs: 1 / 2 },
  })
})

test('a scaled map scores low under fixed and half under upstream', () => {
  const scene = generateScene({ seed: 'scaled' })
  const question = generateQuestions(scene, 'k', 1, 'fixed', ['e2a'])[0]!
  if (question.answer.form !== 'places') throw new Error('not places')
  const scaled = question.answer.places.map(([x, y]) => `(${100 * x}, ${100 * y})`).join('; ')
  expect(formOf(question.answer, scene).score(scaled, 'upstream').score).toBeGreaterThan(0.49)
  const fixed = formOf(question.answer, scene).score(scaled, 'fixed')
  expect(fixed.score).toBeLessThan(0.34)
  expect(fixed.extra['directions']).toBe(1)
})

test('aboveGuessing is 0 for guessing and 1 for a perfect map', () => {
  expect(aboveGuessing(0.4, 0.4, 0.9)).toBe(0)
  expect(aboveGuessing(0.9, 0.4, 0.9)).toBe(1)
  expect(aboveGuessing(0.2, 0.4, 0.9)).toBeLessThan(0)
})

describe('hostile replies', () => {
  const scene = sceneFromJson(
    (JSON.parse(readFileSync(new URL('rooms.json', ORACLE), 'utf8')) as { rooms: unknown[] }).rooms[9],
    'R09',
  )
  const questions = generateQuestions(scene, 'hostile', 1)
  const judge = (question: Question, reply: string, profile: Profile) =>
    scoreReply(question, reply, scene, { profile, afterMap: false }).result

  test('never throw and always score between 0 and 1', () => {
    const words = fc.constantFrom(
      '(',
      ')',
      '[',
      ',',
      '-',
      '1',
      '9'.repeat(400),
      'JumpTo(',
      'Rotate(1e9)',
      'north',
      'near',
      'lamp',
      '\n',
      'FINAL ANSWER:',
      '<answer>',
      '{',
      '🙂',
      '\u0000',
      '__proto__',
      'constructor',
      '∞',
      'NaN',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 40 }), (pieces) => {
        const reply = pieces.join(' ')
        for (const question of questions) {
          for (const profile of PROFILES) {
            const { score, exact, formatError } = judge(question, reply, profile)
            expect(score).toBeGreaterThanOrEqual(0)
            expect(score).toBeLessThanOrEqual(1)
            expect([0, 1]).toContain(exact)
            expect([0, 1]).toContain(formatError)
          }
        }
      }),
      { numRuns: 50 },
    )
  })

  test.each(['(', '1', '1,', 'north ', 'JumpTo(x), ', 'lamp, ', '-', '(1, ', ' '])(
    'parses %j repeated 30,000 times',
    (piece) => {
      const reply = piece.repeat(30_000)
      for (const question of questions) {
        for (const profile of PROFILES) {
          expect(judge(question, reply, profile).score).toBeLessThanOrEqual(1)
        }
      }
    },
  )
})

test('questions of a scene differ in their words, and say when a view is partial', () => {
  let partial = 0
  for (let seed = 0; seed < 60; seed++) {
    const scene = generateScene({ seed: `words/${seed}`, spacing: 'dataset' })
    const questions = generateQuestions(scene, `words/${seed}`, 3, 'fixed')
    expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length)
    for (const { text, answer } of questions) {
      if (answer.form !== 'place') continue
      const whole = visibleEntities(scene, answer.pose).length === answer.view.length
      expect(text.includes('among other things')).toBe(!whole)
      if (!whole) partial += 1
    }
  }
  expect(partial).toBeGreaterThan(5)
})

test('published locations may fit several cells, where the truth still scores 1; those of fixed never do', () => {
  let open = 0
  for (let seed = 0; seed < 80; seed++) {
    const scene = generateScene({ seed: `truth/${seed}`, spacing: 'dataset' })
    const asked = (profile: Profile) => generateQuestions(scene, `truth/${seed}`, 3, profile, ['bwd_loc_text'])
    for (const { answer } of asked('upstream')) {
      const form = formOf(answer, scene)
      expect(form.score(form.truth(), 'fixed').score).toBe(1)
      if (form.truth() !== form.perfect('fixed')) open += 1
    }
    for (const { ceiling } of asked('fixed')) expect(ceiling).toBe(1)
  }
  expect(open).toBeGreaterThan(0)
})
