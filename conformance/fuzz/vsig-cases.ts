/** Random and adversarial batches of VSIG clips: annotations, replies of players and replies of judges. */
import type { Random } from '../../src/base/random.ts'
import { maskOfId } from '../../src/suites/vsig/domain/mask-encode.ts'
import { SHAPES, TEMPLATES, type Template } from '../../src/suites/vsig/domain/templates.ts'
import type { Plain } from './target.ts'

export type Generation = 'v0' | 'v1' | 'v2' | 'v3' | 'v4'

export type VsigClip = {
  readonly annotation: { readonly [key: string]: Plain }
  readonly evalTruth: { readonly [key: string]: Plain }
  /** Option letters of generation 2. */
  readonly answers: readonly string[]
  readonly frame: readonly [number, number]
  readonly reply: string
  /** Order of coordinates that the model is configured for, from generation 2 on. */
  readonly order: 'xy' | 'yx'
  readonly judge: { readonly intent: string; readonly temporal: string; readonly moments: readonly string[] } | null
}

export type VsigBatch = {
  readonly commit: string
  readonly generation: Generation
  readonly clips: readonly VsigClip[]
}

const FRAMES = [
  [40, 24],
  [24, 40],
  [64, 36],
  [31, 17],
] as const

/** Values of the wrong type, in every place where a value can be. */
const ODD: readonly Plain[] = [
  null,
  true,
  false,
  0,
  -1,
  7,
  0.5,
  1e300,
  '',
  'ab',
  'point',
  '500',
  '无',
  [],
  {},
  [1],
  [1, 2, 3],
  ['1', '2'],
  [null, 4],
  [true, 4],
  [[1, 2]],
  [[1, 2], 'ab'],
  [[1, 2], [3]],
  [
    [500, 500],
    [501, 499, 3],
  ],
  [[[1, 2], 3]],
  { x: 1, y: 2 },
  { point: [1, 2] },
]

const odd = (random: Random): Plain => random.pick(ODD)

/** The usual value, or sometimes something else. */
function mostly(random: Random, value: Plain, share = 0.06): Plain {
  return random.chance(share) ? odd(random) : value
}

/** Leaves a field out now and then. */
function without<T extends Record<string, Plain>>(random: Random, record: T, keys: readonly (keyof T)[]): T {
  const kept = { ...record }
  for (const key of keys) if (random.chance(0.05)) delete kept[key]
  return kept
}

interface Spot {
  x: number
  y: number
  truth: Record<string, Plain>
}

/** An entry of `object_space` with the place it is at, in 0…1000. */
function spot(random: Random, kind: 'object' | 'space', [width, height]: readonly [number, number]): Spot {
  const [px, py] = [random.int(width), random.int(height)]
  const x = Math.round(((px + 0.5) * 1000) / width)
  const y = Math.round(((py + 0.5) * 1000) / height)
  const near = (): Plain => [y + random.range(-30, 30), x + random.range(-30, 30)].map(Math.round)
  const points = random.weighted<() => Plain>(
    [
      () => [[y, x]],
      () => [near(), near(), near()],
      () => [y, x],
      () => [[y + 0.25, x - 0.75, 3]],
      () => [],
      () => odd(random),
    ],
    [10, 6, 2, 1, 1, 1],
  )()
  const truth: Record<string, Plain> = {
    name: random.pick(['红色杯子', 'blue box', '右面', '']),
    type: random.chance(0.03) ? random.pick(['area', '', 'object', 'space']) : kind,
    points,
  }
  if (random.chance(0.04)) delete truth['points']
  if (kind === 'object' ? random.chance(0.94) : random.chance(0.05)) truth['mask'] = mask(random, px, py, width, height)
  return { x, y, truth }
}

function mask(random: Random, px: number, py: number, width: number, height: number): Plain {
  if (random.chance(0.03)) return null
  const reach = 1 + random.int(5)
  const box = [px - reach, py - reach, px + reach, py + reach]
  const crop = random.chance(0.2)
  const inside = box.map((side, i) => Math.max(0, Math.min(side, i % 2 === 0 ? width - 1 : height - 1)))
  const [w, h] = crop ? [inside[2]! - inside[0]! + 1, inside[3]! - inside[1]! + 1] : [width, height]
  const [ox, oy] = crop ? [inside[0]!, inside[1]!] : [0, 0]
  const ids = Array.from({ length: w * h }, (_, i) => {
    const [x, y] = [(i % w) + ox, Math.floor(i / w) + oy]
    return Number(Math.hypot(x - px, y - py) <= reach)
  })
  const png = maskOfId(ids, 1, w, h)
  const text = random.weighted<Plain>(
    [png, '', 'not base64!', png.slice(0, 40), `${png.slice(0, 8)}\n${png.slice(8)}`, 5, null],
    [40, 1, 1, 1, 1, 1, 1],
  )
  const bbox = random.weighted<Plain>(
    [inside, box, [inside[1]!, inside[0]!, inside[3]!, inside[2]!], [], [1, 2], ['0', '0', '9', '9'], [-9, -9, 99, 99]],
    [30, 6, 3, 1, 1, 1, 2],
  )
  return without(random, { mask_base64: text, bbox, score: 0.9 }, ['mask_base64', 'bbox'])
}

/** A judge's reply about the command, odd ones more often than judges write them. */
function intentReply(random: Random): string {
  const score = random.pick([0, 1, 0.5, 0.85, 0.1, 1.5, -0.3])
  return random.pick([
    () => JSON.stringify({ score }),
    () => `\`\`\`json\n{"score": ${score}}\n\`\`\``,
    () => `\`\`\`json {"score": ${score}} \`\`\``,
    () => String(score),
    () => `"${score}"`,
    () => `"得分 ${score} 分"`,
    () => JSON.stringify([score, 0.2]),
    () => JSON.stringify([`about ${score}`, 0.2]),
    () => JSON.stringify([[score]]),
    () => JSON.stringify({ score: String(score) }),
    () => JSON.stringify({ score: `${score}/1` }),
    () => JSON.stringify({ score: null, accuracy: score }),
    () => JSON.stringify({ score: [score], value: 'x' }),
    () => JSON.stringify({ intent_accuracy_score: true }),
    () => JSON.stringify({ reason: '共3步，.5', rating: score }),
    () => JSON.stringify({ reason: 'none', rating: { score } }),
    () => JSON.stringify({ score: '８０%', value: 0.4 }),
    () => JSON.stringify({ score: '1.' }),
    () => JSON.stringify({ score: '..7.25' }),
    () => JSON.stringify({ score: '' }),
    () => 'null',
    () => '{}',
    () => 'I would say 0.7',
    () => `{"score": NaN}`,
    () => `{"score": ${score},}`,
    () => `\uFEFF{"score": ${score}}`,
    () => `\u001c{"score": ${score}}\u0085`,
  ])()
}

function temporalReply(random: Random, count: number): string {
  const scores = Array.from({ length: Math.max(0, count + random.range(-1, 1)) }, () => random.pick([0, 1, 0.5, 0.75]))
  const list = { temporal_scores: scores }
  return random.pick([
    () => JSON.stringify(list),
    () => JSON.stringify(list),
    () => `\`\`\`json\n${JSON.stringify(list)}\n\`\`\``,
    // A JSON text within a JSON text is unpacked, and loses its fences.
    () => JSON.stringify(JSON.stringify(list)),
    () => JSON.stringify(`\`\`\`json\n${JSON.stringify(list)}\n\`\`\``),
    () => JSON.stringify('没有'),
    () => JSON.stringify({ temporal_scores: null }),
    () => JSON.stringify({ temporal_scores: 0.5 }),
    () => JSON.stringify({ temporal_scores: '' }),
    () => JSON.stringify({ temporal_scores: {} }),
    () => JSON.stringify({ temporal_scores: '0.5' }),
    () => JSON.stringify({ temporal_scores: [0.5, '1'] }),
    () => JSON.stringify({ temporal_scores: [true, null] }),
    () => JSON.stringify({ temporal_scores: [true, 0.25] }),
    () => JSON.stringify({ scores }),
    () => JSON.stringify(scores),
    () => 'null',
    () => '0.5',
    () => 'fine',
  ])()
}

/** A judge's reply about one moment (generation 2). */
function momentReply(random: Random): string {
  return random.pick([
    '{"score": 0.5}',
    '{"score": 1}',
    '{"score": 0.0}',
    '```json\n{"score": 0.75}\n```',
    '{"score": "0.5"}',
    '{"score": " 1e-1 "}',
    '{"score": "high"}',
    '{"score": null}',
    '{"score": [1]}',
    '{"score": true}',
    '{"score": 7}',
    '{"score": -2}',
    '{"score": NaN}',
    '{"score": "nan"}',
    '{"score": "inf"}',
    '{"rating": 1}',
    '[0.5]',
    '0.5',
    'null',
    'fully covered',
    '```{"score": 1}```',
  ])
}

function moment(random: Random, window: readonly [number, number], generation: Generation): Plain {
  const [begin, end] = window
  const inside = begin + random.int(end - begin + 1)
  const range: Plain = [begin + random.range(-300, 300), end + random.range(-300, 300)]
  const scalar: Plain = random.pick([inside, inside + 0.9, begin, end, end + 0.5, end + 1, begin - 0.5, inside + 4000])
  const usual = generation === 'v3' || generation === 'v4' ? [scalar, range] : [range, scalar]
  return random.weighted<() => Plain>(
    [
      () => usual[0]!,
      () => usual[1]!,
      () => null,
      () => String(inside),
      () => [end, begin],
      () => [String(begin), String(end)],
      () => [begin, null],
      () => odd(random),
    ],
    [20, 3, 2, 1, 1, 1, 1, 2],
  )()
}

function predictedPoint(random: Random, { x, y }: Spot, order: 'xy' | 'yx'): Plain {
  const off = (): number => (random.chance(0.6) ? 0 : random.range(-90, 90))
  const point = order === 'xy' ? [x + off(), y + off()] : [y + off(), x + off()]
  return random.weighted<() => Plain>(
    [
      () => point,
      () => point.toReversed(),
      () => point.map((value) => value + random.unit()),
      () => [point, point],
      () => [point.toReversed(), [point[0]! + 20, point[1]! - 20]],
      () => [...point, 5],
      () => point.map(String),
      () => [point[0]!, null],
      () => [point[0]!, '5'],
      () => [1000, 1000],
      () => [0, 0],
      () => [-1, 1001],
      () => point.join(', '),
      () => odd(random),
    ],
    [30, 8, 4, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 4],
  )()
}

/** The text of a reply: usually JSON, and usually as asked for. */
function written(random: Random, value: Plain): string {
  const json = random.chance(0.5) ? JSON.stringify(value) : JSON.stringify(value, null, 2)
  return random.weighted<() => string>(
    [
      () => json,
      () => `\`\`\`json\n${json}\n\`\`\``,
      () => `\`\`\`\n${json}\n\`\`\`\n`,
      () => `\`\`\`json ${json} \`\`\``,
      () => `Here is the answer:\n\`\`\`json\n${json}\n\`\`\`\nDone.`,
      () => `The answer is ${json}`,
      () => `${json} as asked {for}`,
      () => json.replace(/\}$/, ',}'),
      () => json.replaceAll('}]', '},\n ]'),
      () => json.replaceAll('}]', '} '),
      () => json.replaceAll(/\](,?)"timestamp/g, ']]$1"timestamp'),
      () => json.slice(0, random.int(json.length + 1)),
      () => `\`\`\`json\n${json.slice(0, -2)}\n\`\`\`\n\`\`\`\n${json}\n\`\`\``,
      () => `[${json}, 5]`,
      () => `[5, ${json}]`,
      () => `\uFEFF${json}`,
      () => `\u001f ${json}\u0085`,
      () => json.replaceAll('"', "'"),
      () => json.replace(/\d+/, 'NaN'),
      () => json.replace(/\d+/, '1e400'),
      () => JSON.stringify(json),
      () => random.pick(['', ' ', '```', '```json', '```\n```', 'null', '[]', '{}', '5', 'I cannot.', '}{', '{}}']),
    ],
    [40, 8, 4, 2, 2, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2],
  )()
}

/** With a string among its items, Python's `in` looks for a part of it. */
const ITEMS: readonly Plain[] = [
  null,
  5,
  'a word',
  'the point is here',
  '',
  [],
  [500, 500],
  ['point', 5],
  {},
  { point: null },
  { point: 'ab' },
  { timestamp: 5 },
]

function clip(random: Random, generation: Generation): VsigClip {
  const template: Template = random.pick(TEMPLATES)
  const { entries, slots } = SHAPES[template]
  const frame = random.pick(FRAMES)
  const spots = Array.from(entries, (letter) => spot(random, letter === 'o' ? 'object' : 'space', frame))
  const targets = slots.map(({ entry }) => spots[entry]!)
  const windows = targets.map((_, i): readonly [number, number] => [1000 + i * 1500, 1600 + i * 1500])
  const words = windows.map(([begin_time, end_time], i) =>
    without(random, { text: random.pick(['把这个', '放到', '这里']), begin_time, end_time: end_time + i }, [
      'end_time',
    ]),
  )
  const text = random.weighted(['把这个放到这里', '无语音', ''], [16, 1, 1])
  const asr: Plain = random.chance(0.15) ? null : { text, words: random.chance(0.06) ? [] : random.shuffle(words) }
  const order = generation === 'v0' || generation === 'v1' || random.chance(0.8) ? 'xy' : 'yx'
  const letters = targets.map((_, i) => (entries[slots[i]!.entry] === 'o' ? 'ABCD'[i]! : 'abcd'[i]!))
  const answers = letters.map((letter) => (random.chance(0.05) ? ` ${letter} ` : letter))
  const answer = targets.map(({ truth }, i): Plain => {
    const [begin, end] = windows[i]!
    const { name: _, type: __, ...where } = truth
    const times = { asr_begin_time: begin, asr_end_time: end, stroke_begin_time: begin, stroke_end_time: end }
    const some = random.chance(0.06) ? { ...times, asr_begin_time: null, stroke_end_time: null } : times
    return without(random, { choice: answers[i]!, ...some, ...where }, ['asr_end_time', 'stroke_begin_time'])
  })
  const chosen = letters.map((letter) => (random.chance(0.15) ? random.pick(['A', 'b', ' A', 'None', '1']) : letter))
  const point_list = targets.map((target, i): Plain => {
    if (random.chance(0.03)) return random.pick(ITEMS)
    const item = {
      type: 'target_object',
      description: mostly(random, '杯子', 0.03),
      point: predictedPoint(random, target, order),
      timestamp: moment(random, windows[i]!, generation),
    }
    return without(random, item, ['point', 'timestamp', 'description'])
  })
  if (random.chance(0.06)) point_list.pop()
  if (random.chance(0.06)) point_list.push(random.chance(0.5) ? random.pick(ITEMS) : { point: [5, 5], timestamp: 1200 })
  const selected: Plain = random.weighted<Plain>(
    [chosen, chosen.join(','), chosen[0]!, [...chosen, 'E'], [1, null, true], null, {}],
    [30, 1, 2, 2, 1, 1, 1],
  )
  const answered = without(
    random,
    {
      explicit_command: mostly(random, '把杯子放到这里', 0.03),
      selected_options: selected,
      point_list: mostly(random, point_list, 0.04),
      reasoning: 'r',
    },
    ['explicit_command', 'selected_options', 'point_list'],
  )
  const hasJudge = generation !== 'v3' && generation !== 'v4' && random.chance(0.75)
  return {
    annotation: {
      id: '1',
      video_name: 'clip.mp4',
      task_template: template,
      object_space: random.chance(0.04) ? spots.slice(1).map((each) => each.truth) : spots.map((each) => each.truth),
      asr_result: asr,
    },
    evalTruth: {
      object_choices: ['A. x'],
      space_choices: ['a. y'],
      answer: generation !== 'v2' && random.chance(0.02) ? [] : answer,
    },
    answers,
    frame,
    reply: written(random, answered),
    order,
    judge: hasJudge
      ? {
          intent: intentReply(random),
          temporal: temporalReply(random, slots.length),
          moments: Array.from({ length: 8 }, () => momentReply(random)),
        }
      : null,
  }
}

export function vsigBatch(random: Random, generation: Generation, commit: string): VsigBatch {
  const clips = Array.from({ length: 1 + random.int(3) }, () => clip(random, generation))
  return { commit, generation, clips }
}
