/** Replies to Theory of Space: moves, answers of all tasks, maps, fog letters and reported changes. */
import { actionText, parseActions, type Phase } from '../../src/suites/space/parse/actions.ts'
import { parseChanges } from '../../src/suites/space/parse/changes.ts'
import { readFogLetters } from '../../src/suites/space/parse/fog-letters.ts'
import {
  matchName,
  readCoordinates,
  readMoves,
  readName,
  readNamedCoordinates,
  readOrder,
  readRelation,
} from '../../src/suites/space/parse/grammar.ts'
import { readMapJson } from '../../src/suites/space/parse/map-json.ts'
import { readSectionMap } from '../../src/suites/space/parse/maps.ts'
import { NORTH } from '../../src/suites/space/domain/grid/scene.ts'
import { answerOf } from '../../src/suites/space/parse/reply.ts'
import type { Corpus, ReadReply } from './corpus.ts'

/** How a reply is written around an answer; `null` where it leaves no answer to read. */
type Manner = [manner: string, write: (answer: string) => string, kept?: boolean]

const NAMES = ['table', 'lamp', 'red door', 'trash can', 'air conditioner', 'sofa']

/** Manners that fit every kind of answer. */
const AROUND: Manner[] = [
  ['as asked', (a) => `THINK:\nI compare the positions.\nFINAL ANSWER:\n${a}`],
  ['on the line of the label', (a) => `THINK: fine\nFINAL ANSWER: ${a}`],
  ['bare', (a) => a],
  ['bold label', (a) => `**THINK:** ok\n\n**FINAL ANSWER:** ${a}`],
  ['lower-case label', (a) => `think: hm\nfinal answer:\n${a}`],
  ['thinking tags', (a) => `<think>Is it FINAL ANSWER: nothing? No.</think>\nFINAL ANSWER:\n${a}`],
  ['answer tag', (a) => `<think>easy</think><answer>${a}</answer>`],
  ['code block', (a) => `FINAL ANSWER:\n\`\`\`\n${a}\n\`\`\``],
  ['box tokens', (a) => `FINAL ANSWER: <|begin_of_box|>${a}<|end_of_box|>`],
  ['label twice', (a) => `THINK: I will write FINAL ANSWER: when I know.\nFINAL ANSWER:\n${a}`],
  ['heading', (a) => `## Reasoning\nStep by step.\n\n## FINAL ANSWER:\n${a}`],
  ['blank lines', (a) => `FINAL ANSWER:\n\n\n${a}\n\n`],
  ['cut off in thought', () => 'THINK:\nLet me first work out where everything is. From the start I saw', false],
  ['refusal', () => 'FINAL ANSWER:\nI cannot determine this from the information given.', false],
  ['empty', () => '', false],
  ['apology', () => "I'm sorry, but I can't help with that.", false],
  ['another language', () => 'FINAL ANSWER:\n抱歉，我无法回答这个问题。', false],
]

function* around(
  kind: string,
  answers: readonly (readonly [written: string, expected: unknown])[],
  read: (reply: string) => unknown,
  nothing: unknown,
  own: readonly Manner[],
): Generator<ReadReply> {
  for (const [manner, write, kept = true] of [...AROUND, ...own]) {
    // Without an answer in it, one reply of a manner is enough.
    for (const [written, expected] of kept ? answers : answers.slice(0, 1)) {
      const reply = write(written)
      yield { manner: `${kind}, ${manner}`, reply, expected: kept ? expected : nothing, read: read(reply) }
    }
  }
}

function* one(kind: string, read: (reply: string) => unknown, rows: readonly [string, string, unknown][]) {
  for (const [manner, reply, expected] of rows)
    yield { manner: `${kind}, ${manner}`, reply, expected, read: read(reply) }
}

// --- moves -------------------------------------------------------------------------------------------------------------

function moves(reply: string, phase: Phase = 'exploration'): string | null {
  const parsed = parseActions(answerOf(reply, 'fixed'), phase, 'fixed')
  return parsed.ok ? [...parsed.actions.motions, parsed.actions.final].map(actionText).join(' ') : null
}

const MOVES = [
  ['Actions: [Observe()]', 'Observe()'],
  ['Actions: [Rotate(90), Observe()]', 'Rotate(90) Observe()'],
  ['Actions: [JumpTo(red door), Rotate(-90), Observe()]', 'JumpTo(red door) Rotate(-90) Observe()'],
  ['Actions: [Query(trash can)]', 'Query(trash can)'],
] as const

const MOVE_MANNERS: Manner[] = [
  ['explains afterwards', (a) => `FINAL ANSWER:\n${a}\n\nThis should show the rest of the room.`],
  ['explains before', (a) => `FINAL ANSWER:\nI have not looked behind me yet, so:\n${a}`],
  ['bullet', (a) => `FINAL ANSWER:\n- ${a}`],
  ['emphasis', (a) => `FINAL ANSWER:\n**${a}**`],
  ['inline code', (a) => `FINAL ANSWER:\n\`${a}\``],
  ['fenced with a language', (a) => `FINAL ANSWER:\n\`\`\`text\n${a}\n\`\`\``],
  [
    'corrects itself',
    (a) => `FINAL ANSWER:\nActions: [Rotate(180), Observe()]\nWait, I already looked there. Instead:\n${a}`,
  ],
  ['lower case', (a) => `FINAL ANSWER: ${a.toLowerCase()}`],
  ['spaces before parentheses', (a) => `FINAL ANSWER: ${a.replaceAll('(', ' (')}`],
  ['over lines', (a) => `FINAL ANSWER:\n${a.replaceAll(', ', ',\n    ').replace('[', '[\n    ').replace(']', '\n]')}`],
  ['without brackets', (a) => `FINAL ANSWER:\n${a.replace('Actions: ', '').replace(/[[\]]/g, '')}`],
  ['label without brackets', (a) => `FINAL ANSWER:\n${a.replace(/[[\]]/g, '')}`],
  ['quoted calls', (a) => `FINAL ANSWER:\n${a.replace(/\w+\([^)]*\)/g, '"$&"')}`],
  ['JSON', (a) => `FINAL ANSWER:\n{"actions": ${a.replace('Actions: ', '').replace(/\w+\([^)]*\)/g, '"$&"')}}`],
  ['boxed', (a) => `FINAL ANSWER:\n\\boxed{${a}}`],
  ['boxed without brackets', (a) => `FINAL ANSWER:\n\\boxed{${a.replace('Actions: ', '').replace(/[[\]]/g, '')}}`],
  ['arrows', (a) => `FINAL ANSWER:\n${a.replaceAll(', ', ' -> ')}`],
  ['semicolons and a trailing one', (a) => `FINAL ANSWER:\n${a.replaceAll(', ', '; ').replace(']', ';]')}`],
  ['numbered in the list', (a) => `FINAL ANSWER:\n${numbered(a)}`],
  ['German around it', (a) => `Ich drehe mich zuerst um.\nFINAL ANSWER:\n${a}\nDas reicht.`],
  ['Chinese around it', (a) => `思考：先观察。\nFINAL ANSWER:\n${a}`],
  ['notes in brackets', (a) => `FINAL ANSWER: see [note 1].\n${a}`],
  [
    'proposals before the label',
    (a) => `Option 1: [Observe()]. Option 2: [Rotate(270), Observe()].\nFINAL ANSWER:\n${a}`,
  ],
  ['cut off in the list', (a) => `FINAL ANSWER:\n${a.slice(0, a.indexOf('(') + 1)}`, false],
  ['prose only', () => 'FINAL ANSWER:\nI will turn right and look around.', false],
]

function numbered(list: string): string {
  let count = 0
  return list.replace(/\w+\(/g, (call) => `${++count}. ${call}`)
}

const SINGLE_MOVES: [string, string, unknown][] = [
  ['degree sign', 'FINAL ANSWER: Actions: [Rotate(90°), Observe()]', 'Rotate(90) Observe()'],
  ['plus sign', 'Actions: [Rotate(+90), Observe()]', 'Rotate(90) Observe()'],
  ['Unicode minus', 'Actions: [Rotate(−90), Observe()]', 'Rotate(-90) Observe()'],
  ['unit', 'Actions: [Rotate(180 degrees), Observe()]', 'Rotate(180) Observe()'],
  [
    'named argument',
    'Actions: [Rotate(degrees=90), JumpTo(object="lamp"), Observe()]',
    'Rotate(90) JumpTo(lamp) Observe()',
  ],
  ['quoted names', 'Actions: [JumpTo("trash can"), Observe()]', 'JumpTo(trash can) Observe()'],
  ['underscores', 'Actions: [JumpTo(trash_can), Observe()]', 'JumpTo(trash can) Observe()'],
  ['snake case', 'Actions: [jump_to(lamp), observe()]', 'JumpTo(lamp) Observe()'],
  ['two words', 'Actions: [Jump To(lamp), Observe()]', 'JumpTo(lamp) Observe()'],
  ['typographic quotes', 'Actions: [JumpTo(“lamp”), Observe()]', 'JumpTo(lamp) Observe()'],
  ['end', 'I know enough.\n\nFINAL ANSWER:\nActions: [Term()]', 'Term()'],
  ['end without brackets', 'FINAL ANSWER:\nTerm()', 'Term()'],
  ['two offers', 'FINAL ANSWER:\n[Observe()] or [Rotate(90), Observe()]', null],
  ['two final actions', 'FINAL ANSWER:\nActions: [Observe(), Rotate(90), Observe()]', null],
  ['no final action', 'FINAL ANSWER:\nActions: [JumpTo(lamp)]', null],
  ['unknown action', 'FINAL ANSWER:\nActions: [MoveForward(2), Observe()]', null],
  ['words for degrees', 'FINAL ANSWER:\nActions: [Rotate(left), Observe()]', null],
]

// --- answers -----------------------------------------------------------------------------------------------------------

const relation =
  (frame: 'ego' | 'cardinal') =>
  (reply: string): unknown => {
    const { direction, distance } = readRelation(answerOf(reply, 'fixed'), frame)
    return direction === null || distance === null ? null : `${direction}, ${distance}`
  }

const RELATION_MANNERS: Manner[] = [
  ['in parentheses', (a) => `FINAL ANSWER: (${a})`],
  ['quoted', (a) => `FINAL ANSWER: "${a}"`],
  ['bold', (a) => `FINAL ANSWER: **${a}**`],
  ['capitals and period', (a) => `FINAL ANSWER: ${a[0]!.toUpperCase()}${a.slice(1)}.`],
  ['in a sentence', (a) => `FINAL ANSWER: The lamp is ${a.replace(', ', ' of you, at ')} range.`],
  ['boxed', (a) => `FINAL ANSWER: $\\boxed{\\text{${a}}}$`],
  ['thinking aloud, no label', (a) => `It could be south, far. Checking again: dx = 3.\nSo the answer is: ${a}`],
  ['swapped', (a) => `FINAL ANSWER: ${a.split(', ').reverse().join(', ')}`],
  ['labelled parts', (a) => `FINAL ANSWER:\nDirection: ${a.split(', ')[0]}\nDistance: ${a.split(', ')[1]}`],
  ['angle brackets', (a) => `FINAL ANSWER: <${a.split(', ')[0]}>, <${a.split(', ')[1]}>`],
  ['JSON', (a) => `FINAL ANSWER: {"direction": "${a.split(', ')[0]}", "distance": "${a.split(', ')[1]}"}`],
  ['half of it', (a) => `FINAL ANSWER: ${a.split(', ')[1]}`, false],
]

const name = (reply: string): unknown => readName(answerOf(reply, 'fixed'), NAMES)
const NAME_MANNERS: Manner[] = [
  ['with an article', (a) => `FINAL ANSWER: the ${a}`],
  ['sentence', (a) => `FINAL ANSWER: I am standing at the ${a}.`],
  ['bold', (a) => `FINAL ANSWER: **${a}**`],
  ['underscores', (a) => `FINAL ANSWER: ${a.replaceAll(' ', '_')}`],
  ['capitals', (a) => `FINAL ANSWER: ${a.toUpperCase()}`],
  ['boxed', (a) => `FINAL ANSWER: \\boxed{${a}}`],
  ['candidates, then one', (a) => `The table and the sofa both see a door. The view fits only one.\nAnswer: ${a}`],
  ['quoted', (a) => `FINAL ANSWER: '${a}'`],
  ['two names', () => 'FINAL ANSWER: table or sofa', false],
]

const order = (reply: string): unknown => readOrder(answerOf(reply, 'fixed'), ['lamp', 'red door', 'sofa'])
const ORDER_MANNERS: Manner[] = [
  ['arrows', (a) => `FINAL ANSWER: ${a.replaceAll(', ', ' → ')}`],
  ['ASCII arrows', (a) => `FINAL ANSWER: ${a.replaceAll(', ', ' -> ')}`],
  [
    'numbered lines',
    (a) =>
      `FINAL ANSWER:\n${a
        .split(', ')
        .map((one_, i) => `${i + 1}. ${one_}`)
        .join('\n')}`,
  ],
  [
    'bullets',
    (a) =>
      `FINAL ANSWER:\n${a
        .split(', ')
        .map((one_) => `- ${one_}`)
        .join('\n')}`,
  ],
  ['JSON list', (a) => `FINAL ANSWER: ["${a.replaceAll(', ', '", "')}"]`],
  ['then', (a) => `FINAL ANSWER: first the ${a.replaceAll(', ', ', then the ')}.`],
  ['boxed', (a) => `FINAL ANSWER: \\boxed{\\text{${a}}}`],
  ['bearings worked out above', (a) => `The lamp is at 40°, the red door at 120°, the sofa at 300°.\nOrder: ${a}`],
  ['underscores', (a) => `FINAL ANSWER: ${a.replaceAll(' door', '_door')}`],
  ['one is missing', () => 'FINAL ANSWER: lamp, sofa', false],
]

const place = (reply: string): unknown => readCoordinates(answerOf(reply, 'fixed'), 1)?.[0]?.join(' ') ?? null
const PLACE_MANNERS: Manner[] = [
  ['square brackets', (a) => `FINAL ANSWER: [${a.slice(1, -1)}]`],
  ['no brackets', (a) => `FINAL ANSWER: ${a.slice(1, -1)}`],
  ['x and y', (a) => `FINAL ANSWER: x = ${a.slice(1, -1).replace(', ', ', y = ')}`],
  ['x and y in words', (a) => `FINAL ANSWER: x = ${a.slice(1, -1).replace(', ', ' and y = ')}`],
  ['sentence', (a) => `FINAL ANSWER: My coordinate is ${a}.`],
  ['boxed', (a) => `FINAL ANSWER: $\\boxed{${a}}$`],
  ['LaTeX parentheses', (a) => `FINAL ANSWER: $\\left${a.slice(0, -1)}\\right)$`],
  ['worked out above', (a) => `From (0, 0), the door at (3, 1) is two cells ahead.\nSo I am at:\n${a}`],
  ['corrects itself', (a) => `I get (9, 9). No, that is behind the wall. The answer is ${a}`],
  ['JSON', (a) => `FINAL ANSWER: {"x": ${a.slice(1, -1).replace(', ', ', "y": ')}}`],
  [
    'decimals',
    (a) =>
      `FINAL ANSWER: (${a
        .slice(1, -1)
        .split(', ')
        .map((n) => `${n}.0`)
        .join(', ')})`,
  ],
  ['two places', () => 'FINAL ANSWER: (1, 2) or (2, 1)', false],
]

const places = (reply: string): unknown => {
  const text = answerOf(reply, 'fixed')
  const read = readNamedCoordinates(text, ['lamp', 'sofa', 'red door']) ?? readCoordinates(text, 3)
  return read?.map((pair) => pair.join(' ')).join(';') ?? null
}
const PLACES_MANNERS: Manner[] = [
  ['commas', (a) => `FINAL ANSWER: ${a.replaceAll('; ', ', ')}`],
  ['lines', (a) => `FINAL ANSWER:\n${a.replaceAll('; ', '\n')}`],
  [
    'numbered',
    (a) =>
      `FINAL ANSWER:\n${a
        .split('; ')
        .map((p, i) => `${i + 1}. ${p}`)
        .join('\n')}`,
  ],
  ['JSON lists', (a) => `FINAL ANSWER: [${a.replaceAll('; ', ', ').replaceAll('(', '[').replaceAll(')', ']')}]`],
  [
    'with names',
    (a) => `FINAL ANSWER: lamp: ${a.split('; ')[0]}; sofa: ${a.split('; ')[1]}; red door: ${a.split('; ')[2]}`,
  ],
  [
    'names in another order',
    (a) => `FINAL ANSWER:\n- red door: ${a.split('; ')[2]}\n- lamp: ${a.split('; ')[0]}\n- sofa: ${a.split('; ')[1]}`,
  ],
  ['boxed', (a) => `FINAL ANSWER: \\boxed{${a}}`],
  ['one is missing', () => 'FINAL ANSWER: (1, 0); (-2, 3)', false],
]

const route = (reply: string): unknown =>
  readMoves(answerOf(reply, 'fixed'))
    ?.map((step) => ('turn' in step ? String(step.turn) : (matchName(step.jump, NAMES) ?? '?')))
    .join(' ') ?? null
const ROUTE_MANNERS: Manner[] = [
  ['in brackets', (a) => `FINAL ANSWER: [${a}]`],
  ['with the label', (a) => `FINAL ANSWER: Actions: [${a}]`],
  [
    'numbered lines',
    (a) =>
      `FINAL ANSWER:\n${a
        .split(', ')
        .map((step, i) => `${i + 1}. ${step}`)
        .join('\n')}`,
  ],
  [
    'bullets',
    (a) =>
      `FINAL ANSWER:\n${a
        .split(', ')
        .map((step) => `- \`${step}\``)
        .join('\n')}`,
  ],
  ['arrows', (a) => `FINAL ANSWER: ${a.replaceAll(', ', ' → ')}`],
  ['then', (a) => `FINAL ANSWER: First ${a.replaceAll(', ', ', then ')}.`],
  ['boxed', (a) => `FINAL ANSWER: \\boxed{${a}}`],
  ['boxed text', (a) => `FINAL ANSWER: $\\boxed{\\text{${a}}}$`],
  ['quoted calls', (a) => `FINAL ANSWER: ["${a.replaceAll(', ', '", "')}"]`],
  ['quoted names', (a) => `FINAL ANSWER: ${a.replace(/JumpTo\(([^)]*)\)/g, 'JumpTo("$1")')}`],
  ['lower case', (a) => `FINAL ANSWER: ${a.toLowerCase()}`],
  ['degree signs', (a) => `FINAL ANSWER: ${a.replace(/Rotate\(([^)]*)\)/g, 'Rotate($1°)')}`],
  ['bold', (a) => `FINAL ANSWER: **${a}**`],
  ['worked out above', (a) => `The lamp is on my right.\nFrom there the door is ahead.\n${a}`],
  ['in words', () => 'FINAL ANSWER: turn right and go to the lamp', false],
]

// --- maps --------------------------------------------------------------------------------------------------------------

const map = (reply: string): unknown => {
  const json = readMapJson(reply, 'fixed')
  if (json === null) return null
  const entries = readSectionMap(json, [...NAMES, 'agent'], NORTH)
  return entries
    .map(({ name: named, pos, facing }) => `${named} ${pos.join(' ')} ${facing?.join(' ') ?? '-'}`)
    .sort()
    .join('; ')
}

const MAPS = [
  [
    '{\n  "agent": {"position": [0, 0], "facing": "north"},\n  "lamp": {"position": [2, 3]},\n  "sofa": {"position": [-1, 4], "facing": "west"}\n}',
    'agent 0 0 0 1; lamp 2 3 -; sofa -1 4 -1 0',
  ],
  [
    '{"agent": {"position": [1, -2], "facing": "south"}, "red door": {"position": [4, 4]}}',
    'agent 1 -2 0 -1; red door 4 4 -',
  ],
] as const

const MAP_MANNERS: Manner[] = [
  ['JSON fence', (a) => `FINAL ANSWER:\n\`\`\`json\n${a}\n\`\`\``],
  ['fence and prose', (a) => `FINAL ANSWER:\nHere is my map:\n\`\`\`json\n${a}\n\`\`\`\nLet me know if you need more.`],
  ['comments', (a) => `FINAL ANSWER:\n${a.replace('},', '}, // as seen first\n')}`],
  ['trailing comma', (a) => `FINAL ANSWER:\n${a.replace(/\}\s*\}$/, '},\n}')}`],
  ['single quotes', (a) => `FINAL ANSWER:\n${a.replaceAll('"', "'")}`],
  ['a draft, then the map', (a) => `THINK: draft {"lamp": {"position": [9, 9]}} is wrong.\nFINAL ANSWER:\n${a}`],
  [
    'two drafts',
    (a) => `FINAL ANSWER:\n\`\`\`json\n{"lamp": {"position": [7, 7]}}\n\`\`\`\nCorrected:\n\`\`\`json\n${a}\n\`\`\``,
  ],
  ['wrapped', (a) => `FINAL ANSWER:\n{"map": ${a}}`],
  ['wrapped, own name', (a) => `FINAL ANSWER:\n{"cognitive_map": ${a}}`],
  ['objects section', (a) => `FINAL ANSWER:\n{"objects": ${a}}`],
  ['on one line', (a) => `FINAL ANSWER: ${a.replace(/\s+/g, ' ')}`],
  ['positions as objects', (a) => `FINAL ANSWER:\n${a.replace(/\[(-?\d+), (-?\d+)\]/g, '{"x": $1, "y": $2}')}`],
  ['positions as text', (a) => `FINAL ANSWER:\n${a.replace(/\[(-?\d+), (-?\d+)\]/g, '"($1, $2)"')}`],
  ['underscores', (a) => `FINAL ANSWER:\n${a.replaceAll('red door', 'red_door')}`],
  ['capitals', (a) => `FINAL ANSWER:\n${a.replaceAll('"lamp"', '"Lamp"').replaceAll('"north"', '"North"')}`],
  ['without labels, after prose', (a) => `Based on what I saw so far:\n\n${a}`],
  ['prose instead', () => 'FINAL ANSWER:\nThe lamp is two cells east.', false],
]

// --- fog letters and changes -------------------------------------------------------------------------------------------

const letters = (reply: string): unknown => readFogLetters(reply, 'fixed')?.toSorted().join('') ?? null
const FOG_MANNERS: Manner[] = [
  ['JSON', (a) => `FINAL ANSWER:\n{"unexplored": [${quotedLetters(a)}]}`],
  ['fenced', (a) => `FINAL ANSWER:\n\`\`\`json\n{"unexplored": [${quotedLetters(a)}]}\n\`\`\``],
  ['a sentence', (a) => `FINAL ANSWER: The unexplored points are ${a.replace(/, (?=\w$)/, ' and ')}.`],
  [
    'thinking in JSON first',
    (a) => `THINK: {"unexplored": ["Z"]}? No.\nFINAL ANSWER: {"unexplored": [${quotedLetters(a)}]}`,
  ],
  ['list', (a) => `FINAL ANSWER: [${quotedLetters(a)}]`],
  ['lower case in JSON', (a) => `FINAL ANSWER: {"unexplored": [${quotedLetters(a.toLowerCase())}]}`],
  ['letters as text', (a) => `FINAL ANSWER: {"unexplored": "${a}"}`],
  ['bullets', (a) => `FINAL ANSWER: {"unexplored":\n [\n${quotedLetters(a).replaceAll(', ', ',\n')}\n ]\n}`],
]

function quotedLetters(list: string): string {
  return list
    .split(', ')
    .map((letter) => `"${letter}"`)
    .join(', ')
}

const reported = (reply: string): unknown => {
  const parsed = parseActions(answerOf(reply, 'fixed'), 'false-belief', 'fixed')
  if (!parsed.ok || parsed.actions.final.kind !== 'term') return null
  return parseChanges(parsed.actions.final.changes ?? '', NAMES, 'fixed')
    .map(
      ({ name: named, position, orientation }) => `${named} ${position ? 'moved' : ''}${orientation ? 'turned' : ''}`,
    )
    .sort()
    .join('; ')
}

const CHANGES = [
  ['lamp: position, sofa: orientation', 'lamp moved; sofa turned'],
  ['trash can: position', 'trash can moved'],
] as const
const CHANGE_MANNERS: Manner[] = [
  ['as asked', (a) => `FINAL ANSWER:\nActions: [Term(changes="${a}")]`],
  ['single quotes', (a) => `FINAL ANSWER:\nActions: [Term(changes='${a}')]`],
  ['no brackets', (a) => `FINAL ANSWER:\nTerm(changes="${a}")`],
  ['semicolons', (a) => `FINAL ANSWER:\n[Term(changes="${a.replaceAll(', ', '; ')}")]`],
  [
    'other words',
    (a) => `FINAL ANSWER:\n[Term(changes="${a.replaceAll('position', 'moved').replaceAll('orientation', 'rotated')}")]`,
  ],
  ['underscores', (a) => `FINAL ANSWER:\n[Term(changes="${a.replaceAll('trash can', 'trash_can')}")]`],
  ['articles', (a) => `FINAL ANSWER:\n[Term(changes="${a.replace(/(^|, )/g, '$1the ')}")]`],
  ['code block', (a) => `FINAL ANSWER:\n\`\`\`\nActions: [Term(changes="${a}")]\n\`\`\``],
  ['boxed', (a) => `FINAL ANSWER:\n\\boxed{Term(changes="${a}")}`],
  ['nothing submitted', () => 'FINAL ANSWER:\nActions: [Term()]', false],
]

/** Whole replies, as models write them. */
const SPOKEN: { read: (reply: string) => unknown; rows: [string, string, unknown][] }[] = [
  {
    read: relation('cardinal'),
    rows: [
      [
        'works through axes',
        'THINK:\nThe sofa is at (3, 5), the lamp at (1, 1). dx = 2, dy = 4, so it is north-north-east, which falls in the north east bin? atan2(2, 4) = 26.6°, yes north east. Distance sqrt(20) = 4.5.\nFINAL ANSWER:\nnorth east, slightly far',
        'north east, slightly far',
      ],
      [
        'changes its mind, no label',
        'I first thought it was north, near. But the lamp is two cells further east.\n\nSo: north east, mid distance',
        'north east, mid distance',
      ],
      [
        'answer line in the middle',
        'Answer: south west, far\n\nExplanation: both coordinates are smaller, and the distance is about 9.',
        'south west, far',
      ],
      ['hyphen and alias', 'FINAL ANSWER: North-West, medium', 'north west, mid distance'],
      ['rules one out', 'FINAL ANSWER: not north but east, near', 'east, near'],
      ['abbreviation', 'FINAL ANSWER: SW, far', 'south west, far'],
      ['two directions, undecided', 'FINAL ANSWER: north or east, near', null],
      ['German', 'FINAL ANSWER: nordwestlich, nah', null],
      ['cut off', 'THINK:\nThe bearing is 45°, so the direction is', null],
    ],
  },
  {
    read: relation('ego'),
    rows: [
      ['to the left', 'FINAL ANSWER: front slightly to the left, near', 'front-slight-left, near'],
      ['straight ahead', 'FINAL ANSWER: straight ahead, far', 'front, far'],
      ['front left with a space', 'FINAL ANSWER: Front Left, Mid Distance', 'front-left, mid distance'],
      [
        'Markdown table',
        'FINAL ANSWER:\n| direction | distance |\n|---|---|\n| front-right | slightly far |',
        'front-right, slightly far',
      ],
      ['sentence', 'FINAL ANSWER: It would appear to my front-right, slightly far away.', 'front-right, slightly far'],
    ],
  },
  {
    read: place,
    rows: [
      [
        'long derivation',
        'THINK:\nThe red door is the origin. The monitor is at (1, 2) relative to it; I see it front-slight-left at mid distance, facing north, so I stand below it: (2, -1) or (2, 0). With (2, 0) the angle is 26°, too wide.\nFINAL ANSWER:\n(2, -1)',
        '2 -1',
      ],
      ['units', 'FINAL ANSWER: (2, -1) meters', '2 -1'],
      ['Unicode minus', 'FINAL ANSWER: (2, −1)', '2 -1'],
      ['Chinese', 'FINAL ANSWER：\n我的坐标是 (2, -1)。', '2 -1'],
      [
        'bold inside prose',
        'Working backwards from the door at (5, 5) and the lamp at (1, 0), my position is **(2, -1)**.\n\n**FINAL ANSWER:** (2, -1)',
        '2 -1',
      ],
      ['one number', 'FINAL ANSWER: 2', null],
    ],
  },
  {
    read: name,
    rows: [
      [
        'rules others out',
        'FINAL ANSWER:\nThe table faces the wall, the sofa sees only one door. Therefore I am standing at the lamp.',
        'lamp',
      ],
      [
        'explains after',
        'FINAL ANSWER: lamp\n(The lamp is the only object that sees the red door on its left.)',
        'lamp',
      ],
      ['unknown object', 'FINAL ANSWER: grand piano', null],
    ],
  },
  {
    read: route,
    rows: [
      [
        'explains each step',
        'FINAL ANSWER:\nJumpTo(lamp), Rotate(90)\n\nAfter the jump the door is on my right.',
        'lamp 90',
      ],
      ['code', 'FINAL ANSWER:\n```python\nRotate(90)\nJumpTo("lamp")\n```', '90 lamp'],
      ['looks as well', 'FINAL ANSWER: Rotate(90), Observe()', null],
    ],
  },
  {
    read: (reply) => moves(reply),
    rows: [
      [
        'plans aloud',
        'THINK:\nI have seen the table and the red door. If I do [JumpTo(red door), Observe()] I learn about the next room, but I should first finish this one: [Rotate(90), Observe()].\nFINAL ANSWER:\nActions: [Rotate(90), Observe()]',
        'Rotate(90) Observe()',
      ],
      [
        'thinks after the label',
        'FINAL ANSWER:\nLet me think about it once more. Actions: [Rotate(90), Observe()] would repeat a view.\n\nActions: [JumpTo(red door), Observe()]',
        'JumpTo(red door) Observe()',
      ],
      ['asks back', 'Which room should I explore first?', null],
      ['template copied', 'FINAL ANSWER:\nActions: [ ... ]', null],
    ],
  },
]

function* replies(): Generator<ReadReply> {
  for (const { read, rows } of SPOKEN) yield* one('spoken', read, rows)
  yield* around('moves', MOVES, moves, null, MOVE_MANNERS)
  yield* one('moves', moves, SINGLE_MOVES)
  yield* around(
    'cardinal',
    [
      ['north west, slightly far', 'north west, slightly far'],
      ['east, near', 'east, near'],
    ],
    relation('cardinal'),
    null,
    RELATION_MANNERS,
  )
  yield* around(
    'egocentric',
    [
      ['front-slight-left, mid distance', 'front-slight-left, mid distance'],
      ['front, near', 'front, near'],
    ],
    relation('ego'),
    null,
    RELATION_MANNERS,
  )
  yield* around(
    'name',
    [
      ['lamp', 'lamp'],
      ['red door', 'red door'],
      ['trash can', 'trash can'],
    ],
    name,
    null,
    NAME_MANNERS,
  )
  yield* around(
    'order',
    [
      ['sofa, lamp, red door', ['sofa', 'lamp', 'red door']],
      ['red door, sofa, lamp', ['red door', 'sofa', 'lamp']],
    ],
    order,
    null,
    ORDER_MANNERS,
  )
  yield* around(
    'place',
    [
      ['(2, -1)', '2 -1'],
      ['(-3, 0)', '-3 0'],
    ],
    place,
    null,
    PLACE_MANNERS,
  )
  yield* around('places', [['(1, 0); (-2, 3); (0, -1)', '1 0;-2 3;0 -1']], places, null, PLACES_MANNERS)
  yield* around(
    'route',
    [
      ['Rotate(90), JumpTo(lamp)', '90 lamp'],
      ['JumpTo(red door), Rotate(-90), JumpTo(trash can), Rotate(180)', 'red door -90 trash can 180'],
    ],
    route,
    null,
    ROUTE_MANNERS,
  )
  yield* around('map', MAPS, map, null, MAP_MANNERS)
  yield* around(
    'fog',
    [
      ['A, C', 'AC'],
      ['B, D, F', 'BDF'],
    ],
    letters,
    null,
    FOG_MANNERS,
  )
  for (const [manner, write, kept = true] of CHANGE_MANNERS)
    for (const [written, expected] of kept ? CHANGES : CHANGES.slice(0, 1)) {
      const reply = write(written)
      yield { manner: `changes, ${manner}`, reply, expected: kept ? expected : null, read: reported(reply) }
    }
}

export const space: Corpus = { bar: 0.97, replies }
