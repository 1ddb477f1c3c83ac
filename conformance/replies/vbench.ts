/** What models write when VBench asks them to judge frames: numbers of frames, a match from 0 to 100, yes or no. */
import type { Dimension } from '../../src/suites/vbench/domain/dimensions.ts'
import { questionFor, readJudgement } from '../../src/suites/vbench/measure/judge.ts'
import { builtinPromptSuite } from '../../src/suites/vbench/samples/builtin.ts'
import { planOf } from '../../src/suites/vbench/samples/plan.ts'
import type { Corpus, ReadReply } from './corpus.ts'

const FRAMES = 8
const FRAME_SETS: readonly (readonly number[])[] = [[1, 2, 5], [3], [2, 3, 4], [8], [1, 4, 6, 8], [2, 7], [4, 5]]
const ALL = [1, 2, 3, 4, 5, 6, 7, 8]
const MATCHES = [0, 35, 50, 72, 85, 100]

/** "1, 2 and 5" */
const listed = (frames: readonly number[]): string =>
  frames.length === 1 ? String(frames[0]) : `${frames.slice(0, -1).join(', ')} and ${frames.at(-1)}`

const FRAME_MANNERS: Readonly<Record<string, (frames: readonly number[]) => string>> = {
  JSON: (frames) => JSON.stringify({ frames }),
  'fenced JSON': (frames) => `\`\`\`json\n{\n  "frames": [${frames.join(', ')}]\n}\n\`\`\``,
  'JSON in prose': (frames) =>
    `Looking at the 8 frames in order, I get {"frames": [${frames.join(', ')}]}. Hope this helps!`,
  'JSON after thinking': (frames) =>
    `<think>Frame 1 is dark. {"frames": [1]}? No.</think>{"frames": [${frames.join(', ')}]}`,
  'JSON draft and final': (frames) => `Draft: {"frames": [1, 2, 3]}\nFinal: {"frames": [${frames.join(',')}]}`,
  'numbers as text': (frames) => JSON.stringify({ frames: frames.map(String) }),
  'names of frames': (frames) => JSON.stringify({ frames: frames.map((frame) => `frame ${frame}`) }),
  'one text': (frames) => JSON.stringify({ frames: frames.join(', ') }),
  'Python dictionary': (frames) => `{'frames': [${frames.join(', ')}]}`,
  'trailing comma': (frames) => `{"frames": [${frames.join(', ')},],}`,
  'capital key': (frames) => JSON.stringify({ Frames: frames }),
  'with reasons': (frames) => JSON.stringify({ reasoning: 'The object {x} is small in frame 6.', frames }),
  nested: (frames) => JSON.stringify({ answer: { frames } }),
  sentence: (frames) => `It is clearly visible in frame${frames.length > 1 ? 's' : ''} ${listed(frames)}.`,
  'bold sentence': (frames) => `I can see it in **frames ${listed(frames)}**.`,
  label: (frames) => `Frames: ${frames.join(', ')}`,
  'bare list': (frames) => `[${frames.join(', ')}]`,
  'bare numbers': (frames) => frames.join(', '),
  German: (frames) => `In den Bildern ${frames.join(', ')} ist es zu sehen.`,
  Chinese: (frames) => `在第${frames.join('、')}帧中可以看到。`,
  'cut off after the list': (frames) => `{"frames": [${frames.join(', ')}], "reason": "The object is cl`,
  unclosed: (frames) => `{"frames": [${frames.join(', ')}]`,
}

const MATCH_MANNERS: Readonly<Record<string, (match: number) => string>> = {
  JSON: (match) => JSON.stringify({ match }),
  'fenced JSON': (match) => `Here you go:\n\`\`\`json\n{"match": ${match}}\n\`\`\``,
  'JSON text': (match) => JSON.stringify({ match: String(match) }),
  percent: (match) => JSON.stringify({ match: `${match}%` }),
  'of 100': (match) => JSON.stringify({ match: `${match}/100` }),
  'with reasons': (match) => JSON.stringify({ reasoning: 'The 8 frames show it well.', match }),
  'after thinking': (match) => `<think>Perhaps 40, as 3 of the frames differ.</think>\n{"match": ${match}}`,
  'draft and final': (match) => `{"match": 10}\nOn reflection:\n{"match": ${match}}`,
  'capital key': (match) => JSON.stringify({ Match: match }),
  label: (match) => `Match: ${match}`,
  'bold label': (match) => `**Match:** ${match}/100`,
  'bare number': (match) => String(match),
  'bare percent': (match) => `${match}%`,
  sentence: (match) => `I would rate the match at ${match} out of 100.`,
  'score is': (match) => `The score is ${match}. The colors fit, but the motion does not.`,
  'Python dictionary': (match) => `{'match': ${match}}`,
  decimal: (match) => `{"match": ${match}.0}`,
  'percent in a sentence': (match) => `The video matches the description about ${match}%.`,
  equals: (match) => `match = ${match}`,
  'trailing comma': (match) => `{"match": ${match},}`,
}

const SHOWS_MANNERS: Readonly<Record<string, (shows: boolean) => string>> = {
  JSON: (shows) => JSON.stringify({ shows }),
  'fenced JSON': (shows) => `\`\`\`json\n${JSON.stringify({ shows })}\n\`\`\``,
  'JSON text': (shows) => JSON.stringify({ shows: String(shows) }),
  'yes or no in JSON': (shows) => JSON.stringify({ shows: shows ? 'yes' : 'no' }),
  'Python dictionary': (shows) => `{'shows': ${shows ? 'True' : 'False'}}`,
  '1 or 0': (shows) => JSON.stringify({ shows: shows ? 1 : 0 }),
  'with reasons': (shows) => JSON.stringify({ reasoning: 'No doubt about it.', shows }),
  'after thinking': (shows) => `<think>Yes? No? Perhaps.</think>{"shows": ${shows}}`,
  word: (shows) => (shows ? 'Yes' : 'No'),
  'word and period': (shows) => (shows ? 'yes.' : 'no.'),
  'bold word': (shows) => `**${shows ? 'Yes' : 'No'}**`,
  'word and reason': (shows) =>
    shows ? 'Yes, the person irons a shirt.' : 'No, the person only stands next to an iron.',
  'true or false': (shows) => String(shows),
  'Answer:': (shows) => `The person holds an iron in frame 3.\n\nAnswer: ${shows ? 'Yes' : 'No'}`,
  'last line': (shows) => `There is a person at a board.\nThe arm moves from frame to frame.\n${shows ? 'Yes' : 'No'}`,
  sentence: (shows) => (shows ? 'The video clearly shows the action.' : 'The video does not show the action.'),
  'shows:': (shows) => `shows: ${shows}`,
  'capital key': (shows) => JSON.stringify({ Shows: shows }),
  'draft and final': (shows) => `{"shows": ${!shows}} … wait, looking again: {"shows": ${shows}}`,
  German: (shows) => (shows ? 'Ja.' : 'Nein.'),
  Chinese: (shows) => (shows ? '是的。' : '不是。'),
}

const COLOR_MANNERS: Readonly<Record<string, (object: readonly number[], color: readonly number[]) => string>> = {
  JSON: (object, color) => JSON.stringify({ object, color }),
  'fenced JSON': (object, color) => `\`\`\`json\n${JSON.stringify({ object, color }, null, 2)}\n\`\`\``,
  'JSON in prose': (object, color) => `As for the 8 frames: ${JSON.stringify({ object, color })}`,
  'numbers as text': (object, color) => JSON.stringify({ object: object.map(String), color: color.map(String) }),
  'one text each': (object, color) => JSON.stringify({ object: object.join(', '), color: color.join(', ') || 'none' }),
  'Python dictionary': (object, color) => `{'object': [${object.join(', ')}], 'color': [${color.join(', ')}]}`,
  labels: (object, color) => `Object: ${object.join(', ')}\nColor: ${color.join(', ') || 'none'}`,
  'after thinking': (object, color) => `<think>[1, 2]?</think>${JSON.stringify({ object, color })}`,
  'British key': (object, color) => JSON.stringify({ object, color, note: 'colour judged by eye' }),
}

interface Single {
  dimension: Dimension
  manner: string
  reply: string
  expected: number | null
}

const single = (dimension: Dimension, manner: string, pairs: readonly (readonly [string, number | null])[]): Single[] =>
  pairs.map(([reply, expected]) => ({ dimension, manner, reply, expected }))

const SINGLES: readonly Single[] = [
  ...single('object_class', 'every frame', [
    ['It is visible in all frames.', 1],
    ['All 8 frames.', 1],
    ['Every frame shows it clearly.', 1],
    ['{"frames": "all"}', 1],
    ['{"frames": "1-8"}', 1],
    ['Frames 1 to 8', 1],
    ['Frames 1-4', 0.5],
    ['frames 5 through 8', 0.5],
    ['All frames except 3 and 4.', 0.75],
    ['{"frames": ["1-4", 6]}', 0.625],
    ['{"frames": [1, 1, 2, 2]}', 0.25],
  ]),
  ...single('object_class', 'frame by frame', [
    ['Frame 1: yes\nFrame 2: yes\nFrame 3: no\nFrame 4: no\nFrame 5: no\nFrame 6: no\nFrame 7: no\nFrame 8: no', 0.25],
    ['- Frame 1: clearly visible\n- Frame 2: not visible\n- Frame 3: visible\n- Frame 4: not visible', 0.25],
    ['Frames 1, 2 and 3 show it; frames 4-8 do not.', 0.375],
    ['It is visible in frames 2 and 3, but not in frames 1 and 4.', 0.25],
    ["Frame 5 shows it clearly. I don't see it in frames 1 to 4.", 0.125],
    ['Not visible in frames 3 and 4.', null],
  ]),
  ...single('object_class', 'no frame', [
    ['{"frames": []}', 0],
    ['{"frames": "none"}', 0],
    ['None.', 0],
    ['None of the frames.', 0],
    ['No frames show it.', 0],
    ['It is not visible in any frame.', 0],
    ['[]', 0],
  ]),
  ...single('object_class', 'no answer', [
    ['', null],
    ["I'm sorry, I can't view images.", null],
    ['I cannot tell whether it is there.', null],
    ['{"frames": null}', null],
    ['{"frames": [9]}', null],
    ['{"frames": [0]}', null],
    ['{"frames": [1.5]}', null],
    ['{"frames": [[1, 2]]}', null],
    ['{"frames": [null]}', null],
    ['{"frames": {"1": true}}', null],
    ['{"frames": [frame numbers]}', null],
    ['{"frames": [1, 2, ', 0.25],
    ['<think>In frame 1, 2 and 3 I see', null],
    ['The object looks realistic.', null],
    ['{"answer": "yes"}', null],
    ['In frame 12.', null],
  ]),
  ...single('overall_consistency', 'no answer', [
    ['', null],
    ['It matches well.', null],
    ['{"match": 150}', null],
    ['{"match": -5}', null],
    ['{"match": null}', null],
    ['{"match": "high"}', null],
    ['{"match": "80-90"}', null],
    ['between 60 and 70', null],
    ["I'm unable to rate this.", null],
    ['{"match": an integer from 0 (not at all) to 100 (completely)}', null],
    ['{"match": NaN}', null],
    ['8/10', null],
    ['{"match": true}', null],
    ['Frame 3 is blurry.', null],
  ]),
  ...single('human_action', 'no answer', [
    ['', null],
    ['Perhaps.', null],
    ['{"shows": null}', null],
    ['{"shows": "maybe"}', null],
    ['I cannot determine that from still frames.', null],
    ['{"shows": [true]}', null],
    ['A person stands at a board.', null],
    ['{"frames": [1, 2]}', null],
  ]),
  ...single('color', 'no answer', [
    ['{"object": [1, 2]}', null],
    ['{"object": [1, 2], "color": null}', null],
    ['The bicycle is green.', null],
    ['', null],
  ]),
]

export const vbenchReplies: Corpus = { bar: 0.97, replies }

function* replies(): Generator<ReadReply> {
  const { prompts } = planOf(builtinPromptSuite())
  const questionOf = (dimension: Dimension) => {
    for (const prompt of prompts) {
      const question = prompt.dimensions.includes(dimension) ? questionFor(dimension, prompt, FRAMES) : null
      if (question !== null) return question
    }
    throw new Error(`no prompt of the built-in suite asks about ${dimension}`)
  }
  const read = (dimension: Dimension, manner: string, reply: string, expected: number | null): ReadReply => {
    const result = readJudgement(reply, questionOf(dimension))
    return { manner: `${dimension}: ${manner}`, reply, expected, read: result?.value ?? null }
  }
  const shown = ['object_class', 'scene'] as const
  for (const [manner, write] of Object.entries(FRAME_MANNERS))
    for (const [i, frames] of [...FRAME_SETS, ALL].entries())
      yield read(shown[i % 2]!, manner, write(frames), frames.length / FRAMES)
  for (const [manner, write] of Object.entries(MATCH_MANNERS))
    for (const match of MATCHES) yield read('overall_consistency', manner, write(match), match / 100)
  for (const [manner, write] of Object.entries(SHOWS_MANNERS))
    for (const shows of [true, false]) yield read('human_action', manner, write(shows), Number(shows))
  for (const [manner, write] of Object.entries(COLOR_MANNERS)) {
    for (const object of FRAME_SETS) {
      const color = object.slice(0, Math.ceil(object.length / 2))
      yield read('color', manner, write(object, color), color.length / object.length)
      yield read('color', `${manner}, never`, write(object, []), 0)
    }
  }
  for (const { dimension, manner, reply, expected } of SINGLES) yield read(dimension, manner, reply, expected)
}
