import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkSamples } from '../engine/check.ts'
import { planRun } from '../engine/plan.ts'
import { encodePng } from '../media/image.ts'
import type { MediaRef } from '../media/ref.ts'
import { Table, WeightedMeans } from '../report/table.ts'
import { openTable } from '../base/tables/rows.ts'
import type { Rules } from './domain/format.ts'
import type { Answer } from './domain/sample.ts'
import { readTruth } from './domain/truth.ts'
import { draftFile } from './draft.ts'
import { readerFor, writtenAnswer } from './parse.ts'
import { arranged, promptOf } from './play.ts'
import { parseQuestionsFile } from './read-file.ts'
import { questionSuite } from './suite.ts'
import { questionsSummary } from './summary.ts'

let folder: string
let png: Uint8Array
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-questions-'))
  png = await encodePng({ width: 4, height: 4, channels: 3, data: new Uint8Array(48).fill(99) })
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'data', 'a.png'), png)
  const white = { width: 4, height: 4, channels: 3, data: new Uint8Array(48).fill(255) } as const
  await writeFile(join(folder, 'data', 'white.png'), await encodePng(white))
  await mkdir(join(folder, 'data', 'photos'))
  await writeFile(join(folder, 'data', 'photos', 'b.png'), png)
  await writeFile(join(folder, 'secret.png'), png)
  await symlink(join(folder, 'secret.png'), join(folder, 'data', 'link.png'))
})
afterAll(() => rm(folder, { recursive: true }))

const FILE = `
format: 1
name: discs
data: { files: rows.jsonl }
columns: { id: id, question: question, options: options, answer: answer, images: image, labels: { type: type } }
`

async function check(rows: readonly object[], file = FILE): Promise<Awaited<ReturnType<typeof checkSamples>>> {
  await writeFile(join(folder, 'data', 'rows.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'))
  const suite = questionSuite(parseQuestionsFile(file, 'discs.yaml'), join(folder, 'data'))
  return checkSamples(await planRun({ suite, models: { player: 'baseline/oracle' } }))
}

/** A PNG of 1 × 1. */
const BASE64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const ROW = { id: 'a', question: 'Where?', options: ['left', 'right'], answer: 'B', image: 'a.png', type: 'x' }

describe('rows that cannot be asked', () => {
  it.each([
    [{ image: '../secret.png' }, 'outside of the data folder'],
    [{ image: '/etc/passwd' }, 'outside of the data folder'],
    [{ image: 'link.png' }, 'link out of the data folder'],
    [{ image: 'no.png' }, 'does not exist'],
    [{ image: 'rows.jsonl' }, 'not a PNG'],
    [{ answer: 'C' }, 'none of the 2 options'],
    [{ answer: null }, 'no ground truth'],
    [{ options: 'left or right' }, 'not a list'],
    [{ options: ['left'] }, '1 options'],
  ])('%j', async (wrong, problem) => {
    const { problems, samples } = await check([ROW, { ...ROW, ...wrong, id: 'b' }])
    expect(samples).toBe(2)
    expect(problems).toEqual([expect.stringContaining(problem)])
  })

  it('rejects rows with the same id', async () => {
    await expect(check([ROW, ROW])).rejects.toThrow('Rows 1 and 2 have the same id "a"')
  })
})

describe('columns that are made of others', () => {
  const derived = (data: string): string =>
    FILE.replace('files: rows.jsonl', `files: rows.jsonl, ${data}`).replace('options: options', 'options: question')
  const question = 'Is A. Smith here? (A) at the door (B) in bed. Now, A. at the door B. in bed'

  it('asks with options from the question, images by derived names, and paths of the folder', async () => {
    const data = `derive: { letter: { from: '{image}', pattern: '/(.)' } }, paths: { photos/: '' }`
    const file = derived(data).replace('images: image', 'images: "photos/{letter}.png"')
    const { problems, examples } = await check([{ ...ROW, question, image: 'x/a.jpg' }], file)
    expect(problems).toEqual([])
    expect(examples[0]?.messages[0]?.text).toContain('A. at the door\nB. in bed')
  })

  it.each([
    [`paths: { '': ../ }`, 'outside of the data folder'],
    [`paths: { a: /etc/a }`, 'outside of the data folder'],
  ])('stays in the data folder with %s', async (data, problem) => {
    const { problems } = await check([{ ...ROW, question }], derived(data))
    expect(problems).toEqual([expect.stringContaining(problem)])
  })

  it.each([
    [`derive: { type: { from: kind, pattern: 'x' } }`, 'no column "kind"'],
    [`derive: { type: { from: id, pattern: '(' } }`, 'pattern ('],
  ])('rejects %s', async (data, problem) => {
    await expect(check([{ ...ROW, question }], derived(data))).rejects.toThrow(problem)
  })
})

const CHOICE = { options: ['the red chair', 'a sofa', 'the lamp', 'a rug'] }
const NONE = { options: null }

const AXES: [string, string][] = [
  ['move_right', 'move_left'],
  ['rotate_right', 'rotate_left'],
]

function pattern(text: string, more: object) {
  return { pattern: text, take: 'first' as const, ignoreCase: false, ...more }
}

type AskedOf = { options: string[] | null; size?: [number, number] }

describe('reading and scoring', () => {
  it.each<[string, AskedOf, Rules, string, Answer, string, number]>([
    ['a letter', CHOICE, {}, 'I think it is (B).', 'B', 'B', 1],
    ['an option text', CHOICE, { read: { rules: ['option'] } }, 'It must be the lamp!', 'C', 'C', 1],
    [
      'thinking kept',
      CHOICE,
      { read: { thinking: 'keep', rules: [{ pattern: '([A-D])', take: 'first', ignoreCase: false }] } },
      '<think>A</think>B',
      'B',
      'A',
      0,
    ],
    [
      'the last letter',
      CHOICE,
      { read: { rules: [{ pattern: String.raw`\b([A-D])\b`, take: 'last', ignoreCase: false }] } },
      'A or C',
      'C',
      'C',
      1,
    ],
    [
      'a field of JSON',
      CHOICE,
      { read: { rules: [{ json: 'result.answer' }] } },
      'So: {"result": {"answer": "D"}}',
      'D',
      'D',
      1,
    ],
    ['a tag', CHOICE, { read: { rules: [{ tag: 'final' }] } }, 'A <final>B</final>', 'B', 'B', 1],
    ['rules in order', CHOICE, { read: { rules: [{ tag: 'final' }, 'stated'] } }, 'The answer is C', 'C', 'C', 1],
    [
      'a letter that no option has',
      CHOICE,
      { read: { rules: [{ pattern: '([A-Z])', take: 'first', ignoreCase: false }], unreadable: 'first' } },
      'E',
      'A',
      'E',
      0,
    ],
    ['an unreadable reply as the first option', CHOICE, { read: { unreadable: 'first' } }, 'hm', 'A', 'A', 1],
    ['a number with a unit', NONE, { answer: { kind: 'number', unit: 'm' } }, 'About 150 cm.', 1.5, '1.5', 1],
    ['half of the thresholds', NONE, { answer: { kind: 'number' }, score: { mra: [0.5, 0.95] } }, '1.2', 1, '1.2', 0.5],
    ['a relative error', NONE, { answer: { kind: 'number' }, score: { relative: 0.1 } }, '1.1', 1, '1.1', 1],
    ['an absolute error', NONE, { answer: { kind: 'number' }, score: { absolute: 5 } }, '96 degrees', 90, '96', 0],
    ['yes', NONE, { answer: { kind: 'yes-no' } }, 'Yes, it is.', true, 'yes', 1],
    ['one of several texts', NONE, { answer: { kind: 'text' } }, 'The  Sofa.', ['couch', 'sofa'], 'The  Sofa', 1],
    ['shared words', NONE, { answer: { kind: 'text' }, score: 'f1' }, 'red chair', ['chair'], 'red chair', 2 / 3],
    [
      'a point in a box',
      NONE,
      { answer: { kind: 'point' } },
      'It is at (0.5, 0.25).',
      [0.4, 0.2, 0.6, 0.3],
      '(0.5, 0.25)',
      1,
    ],
    [
      'a point outside an outline',
      NONE,
      { answer: { kind: 'point' } },
      '[0.9, 0.9]',
      [0, 0, 1, 0, 0, 1],
      '(0.9, 0.9)',
      0,
    ],
    ['a box', NONE, { answer: { kind: 'box' } }, '[0, 0, 2, 1]', [1, 0, 2, 1], '[0, 0, 2, 1]', 0.5],
    [
      'a box in pixels of one in parts',
      { options: null, size: [200, 100] },
      { answer: { kind: 'box', scale: '0-1' }, read: { scale: 'pixels' } },
      '[20, 10, 120, 60]',
      [0.1, 0.1, 0.6, 0.6],
      '[20, 10, 120, 60]',
      1,
    ],
    [
      'a point in thousandths',
      { options: null },
      { answer: { kind: 'point', scale: '0-1' }, read: { scale: '0-1000' } },
      '{"point": [250, 500]}',
      [0.2, 0.4, 0.3, 0.6],
      '(250, 500)',
      1,
    ],
    [
      'moves in a sentence',
      NONE,
      { answer: { kind: 'moves', axes: AXES } },
      'The camera did move_right by 0.3 and "rotate_left": 20.',
      [0.3, -20],
      'move_right:0.3,rotate_left:20',
      1,
    ],
    ['half of the moves', NONE, { answer: { kind: 'moves', axes: AXES } }, 'move_left:1', [-1, 30], 'move_left:1', 0.5],
    ['a text as it is written', NONE, { answer: { kind: 'text' }, score: 'exact' }, 'sofa', ['Sofa'], 'sofa', 0],
    [
      'the end of a final rule',
      CHOICE,
      { read: { rules: [pattern('answer:(.*)', { final: true }), 'stated'] } },
      'It is B. answer: hm',
      'B',
      '',
      0,
    ],
    [
      'a letter among signs',
      CHOICE,
      { read: { drop: ['<b>'], rules: [pattern('is([^.]*)', { without: ' "' })] } },
      'It is <b>"C"',
      'C',
      'C',
      1,
    ],
    [
      'enough of a box',
      NONE,
      { answer: { kind: 'box' }, score: { iou: 0.5 } },
      '{"bbox": [0, 0, 2, 1]}',
      [1, 0, 2, 1],
      '[0, 0, 2, 1]',
      1,
    ],
  ])('%s', (_, sample, rules, reply, truth, written, score) => {
    const reader = readerFor(sample, rules)
    const answer = reader.read(reply)
    if (answer === null) {
      expect(written).toBe('')
      return
    }
    expect(writtenAnswer(sample, rules, answer)).toBe(written)
    expect(reader.grade!(answer, truth)).toBeCloseTo(score)
    expect(reader.grade!(reader.read(reader.write(truth))!, truth)).toBe(1)
  })

  it('reads a count with many phrases in little time', () => {
    const reader = readerFor(NONE, { answer: { kind: 'number' } })
    const start = performance.now()
    expect(reader.read(`There are no chairs${' in a room'.repeat(40)}, it seems`)).toBeNull()
    expect(performance.now() - start).toBeLessThan(1000)
  })

  it.each<[unknown, string[] | null, Rules['answer'], Answer]>([
    ['(C)', CHOICE.options, {}, 'C'],
    ['a sofa', CHOICE.options, {}, 'B'],
    ['B. a sofa', CHOICE.options, {}, 'B'],
    [3, CHOICE.options, { written: 'index' }, 'D'],
    ['1', CHOICE.options, { written: 'number' }, 'A'],
    ['2.50', null, { kind: 'number' }, 2.5],
    ['[(0.1, 0.2), (0.3, 0.4), (0.5, 0.1)]', null, { kind: 'point' }, [0.1, 0.2, 0.3, 0.4, 0.5, 0.1]],
    ["['couch', \"it's a sofa\"]", null, { kind: 'text' }, ['couch', "it's a sofa"]],
  ])('reads the ground truth %j', (cell, options, answer, truth) => {
    expect(readTruth(cell, options, answer)).toEqual(truth)
  })
})

it.each<[string, readonly object[], readonly string[]]>([
  [
    'letters',
    [{ id: 1, question: 'Where?', A: 'left', B: 'right', answer: 'B' }],
    ['options: ["A","B"]', 'kind: choice'],
  ],
  [
    'positions',
    [
      { question: 'Where?', choices: ['left', 'right'], answer: 1, task_type: 'x' },
      { question: 'Where?', choices: ['up', 'down'], answer: 0, task_type: 'y' },
    ],
    ['written: index', 'task-type: task_type'],
  ],
  ['options in the question', [{ question: 'Where? A: left B: right', answer: 'A' }], ['letters: ']],
  [
    'numbers',
    [{ question: 'How far?', ground_truth: 1.5, scene: 'attic' }],
    ['kind: number', 'answer: ground_truth', 'cluster: scene'],
  ],
  [
    'named options',
    [{ qid: 1, question: 'Where?', option_1: 'left', option_2: 'right', correct: 'right' }],
    ['options: ["option_1","option_2"]', 'answer: correct'],
  ],
  [
    'boxes',
    [{ question: 'Where is it?', bbox: [10, 20, 30, 40], w: 64, h: 48 }],
    ['kind: box', 'scale: "pixels"', 'width: w', 'in pixels.'],
  ],
  [
    'several kinds of answers, and images in a folder',
    [
      { question: 'How many?', task: 'count', answer: '3', image: 'b.png' },
      { question: 'Is it red?', task: 'color', answer: 'yes', image: 'b.png' },
      { question: 'How far?', task: 'distance', answer: '1.5', image: 'b.png' },
    ],
    ['kind: number', 'when: { task: ["color"] }', "paths: { '': photos/ }"],
  ],
  [
    'images at marks',
    [{ query: '<image> Is it red?', image: 'a.png', answer: 'no' }],
    ['kind: yes-no', 'place: marks', 'images: image', 'question: query'],
  ],
  [
    'images as base64 under another name, pairs, and a column that is not used',
    [1, 2].map((i) => ({ Q: 'Is it to the left?', GT: 'No', pic_b64: BASE64, pair_id: 'p', lang: 'en', i })),
    ['images: pic_b64', 'cluster: pair_id', 'Not used; prompts may have them as {column}: lang'],
  ],
  [
    'objects in objects, and a mask',
    [{ uid: 1, in: { text: 'Point at the box.', pic: { file: 'a.png' } }, gt: { mask: 'white.png' } }],
    ['question: in.text', 'images: in.pic.file', 'mask: gt.mask', 'written: mask'],
  ],
  [
    'frames of videos, which are shown once',
    [{ q: 'How many chairs are there?', clip: ['a.png', 'a.png'], gt: 2 }],
    ['answer: gt\n  video: clip\n'],
  ],
  [
    'numbered marks, options by letter, and folders of their own',
    [
      {
        query: '[IMG1] and [IMG2]: which?',
        a: ['a.png', 'a.png'],
        picture: 'b.png',
        candidates: { A: 'x', B: 'y' },
        gold: 'B',
      },
    ],
    ['mark: "[IMG{n}]"', 'images: ["a","photos/{picture}"]', 'options: candidates', 'answer: gold'],
  ],
])('drafts a file for a table with %s', async (_, rows, lines) => {
  await writeFile(join(folder, 'data', 'draft.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'))
  const path = join(folder, 'data', 'draft.jsonl')
  const text = await draftFile('draft', await openTable(path, 'draft.jsonl'), 'draft.jsonl', join(folder, 'data'))
  for (const line of lines) expect(text).toContain(line)
  const suite = questionSuite(parseQuestionsFile(text, 'draft.yaml'), join(folder, 'data'))
  const { problems, samples } = await checkSamples(await planRun({ suite, models: { player: 'baseline/oracle' } }))
  expect([problems, samples]).toEqual([[], rows.length])
})

it('fills in prompts once, and puts images at their marks', () => {
  const sample = {
    id: '',
    cluster: '',
    labels: {},
    truth: 'A',
    frequent: 'A',
    media: [],
    question: 'See <image 2>{scene}<image 1>?',
    options: ['one', 'two'],
    cells: { scene: 'attic' },
  }
  const { text } = promptOf(sample, {
    prompt: { text: '{scene}: {question} {{x}} {options} [{letters}]', options: { each: '({n}) {text}', join: ' / ' } },
  })
  expect(text).toBe('attic: See <image 2>{scene}<image 1>? {x} (1) one / (2) two [A, B]')
  const image = (sha256: string): MediaRef => ({ sha256, type: 'image/png', bytes: 1 })
  const images = ['1', '2', '3'].map((name) => ({ kind: 'image' as const, refs: [image(name)] }))
  const parts = arranged('a <image 1> b <image 2>', images, {
    place: 'marks',
    mark: '<image {n}>',
  })
  expect(parts.map((part) => (part.type === 'text' ? part.text : part.media.sha256))).toEqual([
    '3',
    'a ',
    '1',
    ' b ',
    '2',
  ])
})

it('totals parts, groups of parts and weights, adjusted for chance', () => {
  const file = parseQuestionsFile(
    `${FILE}total: { title: All, adjusted: chance, mean: [{ title: First, weight: 3, where: { type: a } }, { by: type }] }`,
    'discs.yaml',
  )
  const values: Readonly<Record<string, number>> = { a: 1, b: 0.5 }
  const { rows, headline } = questionsSummary(
    {
      mean: (metric, where) =>
        metric === 'chance' ? 0.25 : metric === 'correct' ? (values[where?.['type'] ?? ''] ?? 0.75) : null,
      count: (metric) => (metric === 'open' ? 0 : 10),
      values: () => ['a', 'b'],
      labels: () => ['type'],
      whole: () => ({ value: null, n: 0 }),
      metrics: () => ['correct', 'chance'],
    },
    file,
  )
  expect(headline).toBe('total')
  const value = (key: string): number | null | undefined => rows.find((row) => row.key === key)?.value
  expect(value('total')).toBeCloseTo(((3 * 1 + 0.75) / 4 - 0.25) / 0.75)
  expect([value('total.1'), value('correct'), value('type.b')]).toEqual([1, 0.75, 0.5])
})

it('counts a question as right if all its versions are, with an interval over questions', () => {
  const file = parseQuestionsFile(
    `${FILE}total: { circular: true, also: [{ title: Mirrored, where: { type: m }, circular: true }] }`,
    'discs.yaml',
  )
  const versions = { a: [1, 1], b: [1, 0], c: [0, 0], d: [1, 1] }
  const rows = Object.entries(versions).flatMap(([cluster, scores]) =>
    scores.map((correct, i) => ({
      sample: `${cluster}${i}`,
      epoch: 1,
      cluster,
      labels: { type: i === 0 ? 'm' : 'n' },
      status: 'answered' as const,
      scores: { correct, chance: 0.5 },
    })),
  )
  const table = new Table(rows, {})
  const value = (key: string): number | null | undefined =>
    questionsSummary(table, file).rows.find((row) => row.key === key)?.value
  expect([value('total'), value('also.1'), value('correct')]).toEqual([0.5, 0.75, 5 / 8])
  const drawn = new WeightedMeans([{ table, weights: Float64Array.of(2, 0, 1, 1) }])
  expect(drawn.whole('correct')).toEqual({ value: 0.75, n: 4 })
})

it.each([
  ['format: 2', 'format'],
  ['{', 'not valid YAML'],
  [`${FILE}promt: {}`, 'unknown "promt"'],
  [`${FILE}score: iou`, 'does not fit answers of kind choice'],
  [`${FILE}total: { by: typ }`, 'label "typ"'],
  [`${FILE}read: { rules: [{ pattern: "(" }] }`, 'missing )'],
  [`${FILE}title: !!js/function "() => 1"`, 'Unresolved tag'],
  ['a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c, *c]', 'is not a question suite'],
])('rejects %j', (text, problem) => {
  expect(() => parseQuestionsFile(text, 'discs.yaml')).toThrow(problem)
})

it.each([
  ['levels in lines', '? '.repeat(20_000), 'it nests more than 100 levels'],
  ['levels in brackets', `a: ${'['.repeat(200)}`, 'it nests more than 100 levels'],
  ['keys', Array.from({ length: 5000 }, (_, i) => `a${i}: b`).join('\n'), 'more than 2000 entries'],
  ['tags', '!a '.repeat(5000), 'more than 1000 tags'],
])('rejects too many %s', (_, text, problem) => {
  expect(() => parseQuestionsFile(text, 'discs.yaml')).toThrow(problem)
})

it('drafts a file without ground truth for someone to complete', async () => {
  const path = join(folder, 'data', 'draft.jsonl')
  await writeFile(path, '{"question": "Which way?", "verdict_of_ann": "x"}')
  const text = await draftFile('draft', await openTable(path, 'draft.jsonl'), 'draft.jsonl', join(folder, 'data'))
  expect(text).toContain('answer: ANSWER # no column looks like the ground truth')
})

it('has no floors where some questions have no choices', () => {
  const rows = [
    { correct: 1, chance: 0.5, 'truth.A': 1, 'truth.B': 0 },
    { correct: 0.4, open: 1 },
  ].map((scores, i) => ({
    sample: String(i),
    epoch: 1,
    cluster: String(i),
    labels: { type: i === 0 ? 'choice' : 'number' },
    status: 'answered' as const,
    scores,
  }))
  const { rows: found } = questionsSummary(new Table(rows, {}), parseQuestionsFile(FILE, 'discs.yaml'))
  const floors = found.map(({ key, chance, constant }) => [key, chance, constant])
  expect(floors).toEqual([
    ['correct', null, null],
    ['type.choice', 0.5, 1],
    ['type.number', null, null],
  ])
})
