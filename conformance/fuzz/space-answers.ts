/** Answers to the nine tasks: how the answer is found in a reply, and its score. */
import type { Random } from '../../src/base/random.ts'
import { formOf, scoreReply } from '../../src/suites/space/domain/answers/forms.ts'
import type { Answer, TaskName } from '../../src/suites/space/domain/answers/question.ts'
import { CARDINAL_LABELS, DISTANCE_LABELS, EGO_LABELS } from '../../src/suites/space/domain/grid/relations.ts'
import type { Scene } from '../../src/suites/space/domain/grid/scene.ts'
import { parseReply } from '../../src/suites/space/parse/reply.ts'
import { generateQuestions } from '../../src/suites/space/samples/questions.ts'
import { fuzzTarget, type Plain } from './target.ts'
import { inReply } from './space-replies.ts'
import { randomScene, sceneOf, stateOf, THEORY_OF_SPACE } from './space-scenes.ts'

type Case = {
  state: ReturnType<typeof stateOf>
  task: TaskName
  answer: Plain
  own: string
  reply: string
  afterMap: boolean
}

/** Our answer as the published code stores it. */
function publishedAnswer(answer: Answer): Plain {
  const posed = (pose: { pos: readonly number[]; heading: readonly number[]; rooms: readonly number[] }) => ({
    final_pos: pose.pos,
    final_ori: pose.heading,
    room_id: pose.rooms.length === 1 ? pose.rooms[0]! : pose.rooms,
  })
  switch (answer.form) {
    case 'relation':
      return `${answer.direction}, ${answer.distance}`
    case 'order':
      return answer.order
    case 'places':
      return answer.places
    case 'name':
      return {
        answer: answer.name,
        room_id: answer.rooms.length === 1 ? answer.rooms[0]! : answer.rooms,
        final_observation: answer.view.map((sighting) => ({ ...sighting })),
      }
    case 'route':
      return { ...posed(answer.to), final_observation: answer.view.map((sighting) => ({ ...sighting })) }
    case 'place':
      return { ...posed(answer.pose), coord: answer.place, final_observation: answer.view.map((one) => ({ ...one })) }
  }
}

const SPACES = [' ', '', '\n', '\t', '\u00a0', '\u2003', '\u001c', '\u0085', '\ufeff', '\u3000', '\r\n']
const NUMBERS = ['0', '-0', '007', '1.', '.5', '1e3', '+2', '- 3', '٣', '１', '-1.50', '99999999999', '²', '1_0', 'nan']
const ALIASES = [
  'fl',
  'left-front',
  'slightly front left',
  'medium',
  'mid',
  'same',
  'extreme',
  'nw',
  'N',
  'straight',
  '',
]

function number(random: Random): string {
  return random.chance(0.8) ? String(random.between(-9, 9)) : random.pick(NUMBERS)
}

/** Something that could be an answer to this task, or nearly. */
function attempt(random: Random, answer: Answer, scene: Scene): string {
  const names = scene.order
  switch (answer.form) {
    case 'relation': {
      const label = (all: readonly string[]): string => (random.chance(0.85) ? random.pick(all) : random.pick(ALIASES))
      const direction = random.chance(0.5) ? answer.direction : label([...EGO_LABELS, ...CARDINAL_LABELS])
      const distance = random.chance(0.5) ? answer.distance : label(DISTANCE_LABELS)
      const pair = random.chance(0.8) ? [direction, distance] : [distance, direction]
      const text = pair.join(random.pick([', ', ',', '; ', ' ', '\n', ' / ', ' and ', ',,', '']))
      return random.pick([
        text,
        `(${text})`,
        `[${text}]`,
        `"${text}"`,
        `'${direction}', '${distance}'`,
        `<${text}>`,
        `${text}, far`,
      ])
    }
    case 'name': {
      const name = random.chance(0.4) ? answer.name : random.pick(names)
      return random.pick([
        name,
        name.toUpperCase(),
        `the ${name}`,
        `${name}.`,
        name.replaceAll(' ', '_'),
        name.replaceAll(' ', ''),
        `"${name}"`,
        name.replaceAll(' ', '-'),
      ])
    }
    case 'order': {
      const order = random.chance(0.5) ? [...answer.order] : random.shuffle([...answer.order])
      if (random.chance(0.15)) order.pop()
      const text = order.join(random.pick([', ', ',', ' , ', '; ', '\n', ' -> ', ',,']))
      return random.pick([
        text,
        `(${text})`,
        `[${text}]`,
        text.toUpperCase(),
        `"${order.join('", "')}"`,
        `(${text}`,
        `[1] ${text}`,
      ])
    }
    case 'places':
    case 'place': {
      const truth = answer.form === 'places' ? answer.places : [answer.place]
      const pairs = truth.map(([x, y]) =>
        random.chance(0.5)
          ? `${x}${random.pick([', ', ',', ' , '])}${y}`
          : `${number(random)}${random.pick([', ', ',', ' ,\n', '; ', ' '])}${number(random)}`,
      )
      if (random.chance(0.15)) pairs.push(`${number(random)}, ${number(random)}`)
      const wrap = random.pick([
        (pair: string) => `(${pair})`,
        (pair: string) => pair,
        (pair: string) => `[${pair}]`,
        (pair: string) => `x=${pair}`,
      ])
      return pairs.map(wrap).join(random.pick(['; ', ', ', ' ', '\n', '']))
    }
    case 'route': {
      if (random.chance(0.3)) return formOf(answer, scene).perfect('upstream')
      const steps = Array.from({ length: random.between(0, 4) }, () => {
        const name = random.chance(0.9) ? random.pick(names) : random.pick(['unicorn', 'initial_pos', '', ') '])
        const turn = random.chance(0.8)
          ? random.pick(['90', '-90', '180', '270', '0', '-180'])
          : random.pick(['450', '-360', '45', '36000000090', '٩٠', '90°', '--90', '1e1'])
        return random.pick([
          `JumpTo(${name})`,
          `JumpTo(${name.toUpperCase()})`,
          `jumpto ( ${name} )`,
          `Rotate(${turn})`,
          `Rotate(${turn})`,
          `rotate( ${turn} )`,
          `JumpTo(${name}) now`,
          random.pick(['Observe()', 'Actions:', '[', 'JumpTo()', 'JumpTo(a)(b)']),
        ])
      })
      const text = steps.join(random.pick([', ', ',', ', ', ' ,', '; ', '\n']))
      return random.chance(0.85) ? text : random.pick([`[${text}]`, `Actions: ${text}`, `1. ${text}`])
    }
  }
}

const MAPS = [
  '{"a": {"position": [1, 2]}}',
  '{}',
  '{"a": 1',
  '[1]',
  'no map',
  '',
  '```json\n{"a": 1}\n```',
  'x {"a": {}} y',
]

function afterMapOf(random: Random, text: string): string {
  const map = random.pick(MAPS)
  return random.pick([
    `<cogmap>${map}</cogmap><answer>${text}</answer>`,
    `<cogmap>\n${map}\n</cogmap>\n${text}`,
    `${text} <COGMAP>${map}</COGMAP>`,
    `\`\`\`json\n${map}\n\`\`\`\n${text}`,
    `\`\`\`\n${map}\`\`\` ${text} \`\`\`{"b": 2}\`\`\``,
    `<answer>${text}</answer>`,
    `<cogmap>${map} ${text}`,
    `<cogmap>${map}</cogmap><cogmap>{"c": 1}</cogmap>${text}`,
    text,
  ])
}

function generate(random: Random): Case {
  for (;;) {
    const scene = randomScene(random)
    const questions = generateQuestions(scene, random.key, 1, 'upstream')
    if (questions.length === 0) continue
    const { task, answer } = random.pick(questions)
    let text = attempt(random, answer, scene)
    if (random.chance(0.2)) text = `${random.pick(SPACES)}${text}${random.pick(SPACES)}`
    if (random.chance(0.1)) text = text.replaceAll(' ', random.pick(SPACES))
    if (random.chance(0.05)) text = random.pick(['', 'I do not know', '()', '[]', ',', ';', '((', '"', '\n\n'])
    const afterMap = random.chance(0.25)
    if (afterMap) text = afterMapOf(random, text)
    const reply = inReply(random, text).replace('Actions: ', random.chance(0.9) ? '' : 'Actions: ')
    return {
      state: stateOf(scene),
      task,
      answer: publishedAnswer(answer),
      own: JSON.stringify(answer),
      reply,
      afterMap,
    }
  }
}

const ERRORS: ReadonlySet<string> = new Set([
  'object_not_found',
  'invalid_format',
  'invalid_rotation',
  'unknown_object',
  'target_not_visible',
  'invalid_prediction_format',
  'mismatched_coordinate_count',
])

export const answers = fuzzTarget<Case>({
  checkout: THEORY_OF_SPACE,
  driver: 'space/answers.py',
  generate,
  ours({ state, own, reply, afterMap }) {
    const question = { answer: JSON.parse(own) as Answer }
    const { answer, result } = scoreReply(question, reply, sceneOf(state), { profile: 'upstream', afterMap })
    const { thoughts } = parseReply(reply, 'upstream')
    const error = result.problem !== undefined && ERRORS.has(result.problem) ? result.problem : null
    return { thoughts, text: answer, score: result.score, error }
  },
})
