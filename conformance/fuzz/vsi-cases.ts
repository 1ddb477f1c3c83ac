/** Random and adversarial replies and rows for the VSI profiles. */
import type { Random } from '../../src/base/random.ts'
import { CHOICE_TYPES, NUMBER_TYPES } from '../../src/suites/vsi/domain/question-types.ts'

// Aliases, as the cases of a target are JSON, which an interface is not.
export type ScoredRow = { type: string; prediction: string | null; truth: string | null }
export type TypeScore = { type: string; score: number }

const SPACES = ['', ' ', ' ', ' ', '  ', '\n', '\n\n', '\t', '\r\n', '\u00a0', '\u3000', '\u2028', '\v', '\x1f', '\x85', '\ufeff', '\u200b'] // prettier-ignore
const JOINTS = ['', ' ', ' ', ' ', ', ', '.', '. ', '/', '-', '–', ' and ', ' or ', ' to ', '_', ':', '; ', '\n', '%', '"', "'", '*', '**', '(', ')', '[', ']', '{', '}', '<', '>', '=', '`', '，', '。', '、', '：'] // prettier-ignore
const WORDS = ['zero', 'one', 'two', 'three', 'Four', 'five', 'SIX', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'nineteen', 'twenty', 'thirty', 'forty', 'ninety', 'hundred', 'thousand', 'million', 'billion', 'dozen', 'half', 'a', 'an', 'and', 'point', 'once', 'someone', 'stone', 'tens', 'seventyfive', 'twentyone', 'anderen', 'vier', 'deux', '三', '十二'] // prettier-ignore
const PROSE = ['I', 'think', 'the answer is', 'The answer is', 'Answer:', 'answer =', 'ANSWER:', 'anſwer:', 'preanswer:', 'answer', 'final answer', 'Final Answer:', 'Correct answer', 'option', 'Option', 'Option A:', '选项 B：', 'chair', 'there are', 'about', 'approximately', 'meters', 'm', 'cm', 'square meters', '答案', '答案：', '所以', '我选择', '因此', 'so', 'because', 'No', 'None', 'N/A', 'A chair', 'B', 'I cannot', '<think>', '</think>', '< / think >', '</ think>', '<answer>', '</answer>', '<answer type="x">', '< Answer >', '< / answer >', '<answers>', '\\boxed{', '**', '```json', '```'] // prettier-ignore
const NUMBERS = ['0', '1', '2', '3', '4', '7', '10', '12', '2.5', '3.50', '26.4', '158', '1e2', '2E-1', '1e999', '-3', '+5', '−2', '.5', '5.', '1,200', '2,4', '1_000', '0x4', '٣', '３', '४.५', '½', '3/4', 'inf', '-inf', 'nan', 'Infinity', 'NaN', '1.2.3', '00012', '9'.repeat(40), '9'.repeat(400), '²', '①'] // prettier-ignore
const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'J', 'K', 'a', 'b', 'c', 'Ａ', 'А', 'AB', 'A.', 'B)', '(C)', '[D]', '**B**', '（A）', '【B】', 'A：', 'B、', '`C`', "'D'", '"A"', 'A-', 'A1', 'A_', 'éA', 'Bß', '_C_'] // prettier-ignore

const KINDS = [WORDS, PROSE, NUMBERS, LETTERS] as const

/** A few fragments, joined by anything. */
export function reply(random: Random): string {
  const style = random.int(10)
  if (style === 0) return random.pick(random.pick(KINDS))
  if (style === 1) return `${random.pick(SPACES)}${random.pick(LETTERS)}${random.pick(JOINTS)}${random.pick(SPACES)}`
  if (style === 2) return pythonList(random)
  if (style === 3) return random.pick(['', ' ', '\n', '[]', '[ ]', '{}', '[', ']', '"', "''", '\u200b', '.', '...'])
  // Some kinds dominate, so that runs of one kind occur.
  const weights = KINDS.map(() => random.unit() ** 2)
  const count = random.chance(0.02) ? random.between(200, 600) : random.between(1, 9)
  let text = random.pick(SPACES)
  for (let i = 0; i < count; i++) text += random.pick(random.weighted(KINDS, weights)) + random.pick(JOINTS)
  return text + random.pick(SPACES)
}

/** A reply that looks like a list, as VLMEvalKit expects some to be. */
function pythonList(random: Random): string {
  const item = (depth: number): string => {
    switch (random.int(depth > 2 ? 7 : 9)) {
      case 0:
        return random.pick(NUMBERS)
      case 1:
        return `'${random.pick(WORDS)} ${random.pick(PROSE)}'`
      case 2:
        return `"${random.pick(NUMBERS)} ${random.pick(['m', 'cm', "'", '\\n', '\\x41', '\\u0033', '\\'])}"`
      case 3:
        return random.pick(['True', 'False', 'None', 'true', 'null', '...', 'x', '1j', '0b11', '0o7', '1_0', '07'])
      case 4:
        return `${random.pick(['-', '+', '- '])}${random.between(0, 99)}`
      case 5:
        return `${random.between(0, 99)}.${random.between(0, 99)}${random.pick(['', 'e3', 'e-7', 'e22', 'E+16'])}`
      case 6:
        return String(random.between(0, 500))
      case 7:
        return `[${items(depth + 1)}]`
      default:
        // One item per set: the order of more depends on Python's hashes.
        return random.pick([`(${items(depth + 1)})`, `{${item(depth + 1)}}`, `{'a': ${item(depth + 1)}}`])
    }
  }
  const items = (depth: number): string =>
    Array.from({ length: random.between(0, 3) }, () => item(depth)).join(random.pick([',', ', ', ' ,', ' ', ',\n'])) +
    random.pick(['', '', '', ','])
  return `${random.pick(['', '', ' ', '\n', '\t'])}[${items(0)}]${random.pick(['', '', ' ', '\n', ' # 3', '[0]'])}`
}

const TRUTHS = [
  '4',
  '4',
  '10',
  '26.4',
  '2.5',
  '158',
  '0',
  '-0.0',
  '-4',
  '1e-320',
  '1e308',
  'inf',
  'nan',
  '',
  ' 5 ',
  'x',
]

/** A question, its ground truth and a reply, aimed at the limits of the score half of the time. */
export function scored(random: Random): ScoredRow {
  const missing = random.chance(0.03)
  if (random.chance(0.5)) {
    const truth = random.chance(0.02) ? null : random.pick(['A', 'B', 'C', 'D', 'a', 'E', 'Option B', '', 'A.', 'ß'])
    return { type: random.pick(CHOICE_TYPES), prediction: missing ? null : reply(random), truth }
  }
  const type = random.chance(0.03) ? random.pick(['', 'object_rel_direction', 'unknown']) : random.pick(NUMBER_TYPES)
  const truth = random.chance(0.02) ? null : random.pick(TRUTHS)
  if (missing || random.chance(0.5)) return { type, prediction: missing ? null : reply(random), truth }
  const near = Number(truth ?? 4) * (1 + random.pick([-1, 1]) * 0.05 * random.between(0, 11))
  const text = random.pick([
    String(near),
    near.toFixed(random.between(0, 3)),
    `about ${near}`,
    `${near} m.`,
    `${near}.`,
  ])
  return { type, prediction: text, truth }
}

/** Scores of some or all types, as a run records them. */
export function rows(random: Random): TypeScore[] {
  const all = [...NUMBER_TYPES, ...CHOICE_TYPES]
  const some = all.filter(() => random.chance(0.9))
  return (some.length === 0 ? all : some).flatMap((type) =>
    Array.from({ length: random.between(1, 5) }, () => ({ type, score: random.int(11) / 10 })),
  )
}

const MOVES = ['rotation_angle_degrees', 'forward_meters', 'left_meters', 'z_delta_meters']

/** One step of the agent: JSON in prose, often broken. */
export function agentReply(random: Random): string {
  const style = random.int(12)
  if (style === 0) return reply(random)
  const keys = random.chance(0.6) ? MOVES : MOVES.filter(() => random.chance(0.7))
  const fields = keys.map((key) => [key, moveValue(random)])
  if (random.chance(0.6)) fields.push(['answer', answerValue(random)])
  if (random.chance(0.7)) fields.push(['done', random.pick(['true', 'false', '"false"', '1', '0', 'null', '[]', '[0]', '{}', '""', '0.0'])]) // prettier-ignore
  if (random.chance(0.4)) fields.unshift(['reasoning', random.pick(['"ok"', '"a {b} c"', '"[1]"', '"\\u00e9 \\n"', '"\ttab"', '{"x": 1}', 'null'])]) // prettier-ignore
  random.shuffle(fields)
  const gap = random.pick(['', ' ', '\n', '\u00a0'])
  let object = `{${fields.map(([key, value]) => `"${key}":${gap}${value}`).join(random.pick([',', ', ', ',\n']))}}`
  if (random.chance(0.08)) object = object.slice(0, random.int(object.length))
  if (random.chance(0.05)) object = object.replaceAll('"', "'")
  if (random.chance(0.05)) object = object.replace('}', ',}')
  if (random.chance(0.08)) object = `[${object}${random.pick(['', ', 1', ', {}'])}]`
  const before = random.pick(['', '', '', 'So: ', '```json\n', '{x} ', '[1, 2] ', '[ "a" ] ', '<think>{"done": true}</think>']) // prettier-ignore
  return before + object + random.pick(['', '', '\n```', ' [1]', '}', ' {"done": true, "answer": "B"}'])
}

function moveValue(random: Random): string {
  if (random.chance(0.75)) return String(random.pick([0, 30, -45, 90, 0.5, -0.25, 1, 3, 180, 5e3, 22.5, -0]))
  return random.pick(['null', '"30"', '" 0.5 "', '"30 deg"', 'true', 'false', '[]', '{}', '1e2', '-1E-1', '"٣"', '"1_0"', '"nan"', 'NaN', '-Infinity', '1e999', '9'.repeat(330), '""', '+3', '.5', '01']) // prettier-ignore
}

function answerValue(random: Random): string {
  if (random.chance(0.3)) return JSON.stringify(random.pick(random.pick([LETTERS, NUMBERS, WORDS])))
  return random.pick(['"A"', '"b"', '" C "', '"AB"', '"CDE"', '""', '" "', '"B. sofa"', 'null', 'true', 'false', '3', '3.0', '3.50', '1e2', '1e22', '1E-7', '-4', '-0', '-0.0', '[3]', '["B"]', '{"x": 3}', '[]', '"about 4.5 m"', '"1,200"', '"-"', '"--5"', '"5."', '"nan"', 'NaN', 'Infinity', '"\\n7\\n"', '"it\'s 5"', '["it\'s", "a \\"b\\""]', '123456789012345678901234', '0.1', '100000000000000000000.0', '1e16', '"\\u0663"', '"ß"', '{"b": 1, "a": 2}', '"\\ud83d\\ude00 1"']) // prettier-ignore
}

/** A reply that chooses the first view. */
export function angleReply(random: Random): string {
  if (random.chance(0.1)) return agentReply(random)
  const angle = random.pick(['0', '90', '180', '270', '-90', '45', '90.0', '90.9', '"90"', '" 180 "', '"90.0"', '"9_0"', '"٩٠"', '"90°"', 'true', 'null', '[90]', 'NaN', '1e999', '2.7e2', '"+270"', '"0270"']) // prettier-ignore
  const object = `{"selected_angle": ${angle}, "reasoning": ${random.pick(['"ok"', '"{x}"', 'null', '{}'])}}`
  return random.pick([object, object, `So: ${object}`, `[${object}]`, `["selected_angle"]`, `{x} ${object}`, object.slice(0, -3)]) // prettier-ignore
}

/** A reply of the video baseline. */
export function videoReply(random: Random): string {
  if (random.chance(0.3)) return reply(random)
  const field = (): string =>
    `${random.pick(['"answer"', '"answer"', '"answer"', "'answer'", '"Answer"', 'answer'])}${random.pick(['', ' ', '\n', '\x1f'])}:${random.pick(['', ' ', ' ', '\t', '\ufeff'])}${answerValue(random)}` // prettier-ignore
  const inside = Array.from({ length: random.between(0, 3) }, () =>
    random.pick([field, field, () => '"reasoning": "ok"', () => '"n": {"answer": "D"}', () => random.pick(JOINTS)])(),
  ).join(random.pick([', ', ',', ' ']))
  const object = `${random.pick(['{', '{', '{', '{{', ''])}${inside}${random.pick(['}', '}', '}', '}}', ''])}`
  const around = (): string => random.pick(['', '', '', 'So ', reply(random).slice(0, 30), object, "'C'", 'answer: b '])
  return around() + object + around()
}

/** Corners of a room, with a few stray points. */
export function vertices(random: Random): number[][] {
  const size = [random.range(0.05, 9), random.range(0.05, 9), random.range(0.2, 4)]
  const from = [random.range(-5, 5), random.range(-5, 5), random.range(-2, 2)]
  return Array.from({ length: random.between(1, 60) }, () =>
    [0, 1, 2].map(
      (axis) => from[axis]! + size[axis]! * random.pick([0, 1, random.unit(), random.chance(0.1) ? 9 : 0.5]),
    ),
  )
}
