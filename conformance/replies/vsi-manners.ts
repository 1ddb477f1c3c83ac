/** Ways in which models give an answer, each tried on every question of its kind. */
import type { QuestionType } from '../../src/suites/vsi/domain/question-types.ts'

interface AskedChoice {
  type: QuestionType
  question: string
  options: readonly string[]
}

/** What the model has decided on, in the words of the question. */
export interface Quantity {
  value: number
  /** Spelled out. */
  words: string
  /** With its unit or noun: `2.4 meters`, `4 chairs`. */
  full: string
  /** The sentence that says it. */
  sentence: string
  /** A number that is close, but not the answer. */
  other: string
}

interface AskedNumber {
  type: QuestionType
  question: string
  options: null
  quantity: Quantity
}

export type Asked = AskedChoice | AskedNumber

export const ASKED = {
  closest: {
    type: 'object_rel_distance',
    question: 'Which of these objects (chair, sofa, trash bin, table lamp) is the closest to the tv?',
    options: ['chair', 'sofa', 'trash bin', 'table lamp'],
  },
  side: {
    type: 'object_rel_direction_easy',
    question: 'If I am standing by the stove and facing the tv, is the sofa to the left or the right of the tv?',
    options: ['left', 'right'],
  },
  turn: {
    type: 'object_rel_direction_medium',
    question: 'If I am standing by the bed and facing the desk, is the door to my left, right, or back?',
    options: ['back', 'right', 'left'],
  },
  quadrant: {
    type: 'object_rel_direction_hard',
    question: 'If I am standing by the sink and facing the window, is the plant to my front-left, front-right, …?',
    options: ['front-right', 'back-left', 'back-right', 'front-left'],
  },
  route: {
    type: 'route_planning',
    question: 'You are a robot at the door facing the bed. Navigate to the desk. 1. [please fill in] 2. Go forward …',
    options: ['Turn Left, Turn Right', 'Turn Back, Turn Left', 'Turn Right, Turn Left', 'Turn Back, Turn Right'],
  },
  order: {
    type: 'obj_appearance_order',
    question: 'What will be the first-time appearance order of these categories: lamp, heater, door, pillow?',
    options: [
      'lamp, heater, door, pillow',
      'door, pillow, lamp, heater',
      'pillow, lamp, heater, door',
      'heater, door, pillow, lamp',
    ],
  },
  count: {
    type: 'object_counting',
    question: 'How many chair(s) are in this room?',
    options: null,
    quantity: {
      value: 4,
      words: 'four',
      full: '4 chairs',
      sentence: 'There are 4 chairs in the room',
      other: '5 chairs',
    },
  },
  distance: {
    type: 'object_abs_distance',
    question: 'What is the distance between the sofa and the tv (in meters)?',
    options: null,
    quantity: {
      value: 2.5,
      words: 'two and a half',
      full: '2.5 meters',
      sentence: 'The distance between them is 2.5 meters',
      other: '3 meters',
    },
  },
  size: {
    type: 'object_size_estimation',
    question: 'What is the length of the longest dimension of the table, in centimeters?',
    options: null,
    quantity: {
      value: 120,
      words: 'one hundred and twenty',
      full: '120 cm',
      sentence: 'The longest side of the table is 120 centimeters',
      other: '90 cm',
    },
  },
  room: {
    type: 'room_size_estimation',
    question: 'What is the size of this room (in square meters)?',
    options: null,
    quantity: {
      value: 24,
      words: 'twenty-four',
      full: '24 square meters',
      sentence: 'The room is 24 square meters in size',
      other: '30 square meters',
    },
  },
} as const satisfies Record<string, Asked>

interface Written<Answer> {
  reply: string
  expected: Answer | null
}

/** `choice` is the text of the option that the model has decided on. */
type ChoiceManner = (choice: string, options: readonly string[]) => Written<string>

const letterOf = (choice: string, options: readonly string[]): string =>
  String.fromCharCode(65 + options.indexOf(choice))
const another = (choice: string, options: readonly string[]): string => options.find((option) => option !== choice)!

/** A manner whose reply says the letter, the option's text, or both. */
const says =
  (write: (letter: string, choice: string, other: string) => string): ChoiceManner =>
  (choice, options) => {
    const letter = letterOf(choice, options)
    return { reply: write(letter, choice, another(choice, options)), expected: letter }
  }
/** A manner whose reply decides nothing. */
const undecided =
  (write: (letter: string, choice: string, other: string) => string): ChoiceManner =>
  (choice, options) => ({ reply: write(letterOf(choice, options), choice, another(choice, options)), expected: null })

export const CHOICE_MANNERS: Readonly<Record<string, ChoiceManner>> = {
  'bare letter': says((letter) => letter),
  'letter and period': says((letter) => `${letter}.`),
  'small letter': says((letter) => letter.toLowerCase()),
  'letter in parentheses': says((letter) => `(${letter})`),
  'letter with option': says((letter, choice) => `${letter}. ${choice}`),
  'letter, colon, option': says((letter, choice) => `${letter}: ${choice}`),
  'bold letter': says((letter, choice) => `**${letter}. ${choice}**`),
  'Option X': says((letter) => `Option ${letter}`),
  'option (X) in a sentence': says((letter) => `I would go with option (${letter}), based on the frames.`),
  'Answer: X': says((letter) => `Answer: ${letter}`),
  'bold Answer': says((letter, choice) => `I compared the objects one by one.\n\n**Answer: ${letter}** (${choice})`),
  'bold label': says((letter) => `**Final Answer:** ${letter}`),
  'label on a line of its own': says((letter, choice) => `### Final answer\n\n${letter}. ${choice}\n`),
  'the answer is': says((letter) => `Based on the video, the answer is ${letter}.`),
  'the correct answer is': says((letter, choice) => `The correct answer is **${letter}. ${choice}**.`),
  'letter first, then why': says((letter, choice) => `${letter}\n\nThe frames show it clearly: ${choice}.`),
  'letter and reason in a sentence': says(
    (letter, _, other) => `${letter}, because ${other} does not fit what the video shows.`,
  ),
  boxed: says((letter) => `So we conclude \\boxed{${letter}}.`),
  'boxed text': says((letter, choice) => `$$\\boxed{\\text{${letter}. ${choice}}}$$`),
  'answer tag': says((letter) => `<answer>${letter}</answer>`),
  'think and answer tags': says(
    (letter, _, other) => `<think>It could be ${other}. No, it is not.</think>\n<answer>${letter}</answer>`,
  ),
  'think, then letter': says(
    (letter, _, other) => `<think>\nMaybe ${other}?\nThe answer might be A. Or B.\n</think>\n\n${letter}`,
  ),
  'think never opened': says((letter, _, other) => `Okay, so ${other}… hmm.\n</think>\n\nThe answer is ${letter}.`),
  JSON: says((letter) => `{"reasoning": "seen in frame 3", "answer": "${letter}"}`),
  'fenced JSON': says(
    (letter) =>
      `Here is my answer:\n\`\`\`json\n{\n  "reasoning": "It is visible in {frame 2}.",\n  "answer": "${letter}"\n}\n\`\`\``,
  ),
  'JSON with the option': says((letter, choice) => `{"reasoning": "clear", "answer": "${letter}. ${choice}"}`),
  'JSON with option text': says((_, choice) => `{"reasoning": "clear", "answer": "${choice}"}`),
  'JSON with "Option X"': says((letter) => `{"answer": "Option ${letter}"}`),
  'JSON with (X)': says((letter) => `{"answer": "(${letter})"}`),
  'Python dictionary': says((letter) => `{'reasoning': 'it\\'s near', 'answer': '${letter}'}`),
  'JSON cut off after the answer': says(
    (letter) => `{"answer": "${letter}", "reasoning": "The objects in the room are arra`,
  ),
  'JSON with a list': says((letter) => `{"answer": ["${letter}"]}`),
  'JSON, capital key': says((letter) => `{"Reasoning": "…", "Answer": "${letter}"}`),
  'JSON, final_answer': says((letter) => `{"reasoning": "…", "final_answer": "${letter}"}`),
  'JSON draft and final': says(
    (letter, _, other) => `First guess: {"answer": "${other}"}\nAfter checking: {"answer": "${letter}"}`,
  ),
  'option text alone': says((_, choice) => choice),
  'option text in capitals': says((_, choice) => `${choice.toUpperCase()}.`),
  'option text in bold': says((_, choice) => `**${choice}**`),
  'answer is option text': says((_, choice) => `The answer is ${choice}.`),
  'answer with quoted option text': says((_, choice) => `Final answer: "${choice}"`),
  'corrects itself': says(
    (letter, _, other) => `The answer is ${other}. Wait, no. Looking again, the answer is ${letter}.`,
  ),
  'no wait': says((letter) => `A… no wait, ${letter}.`),
  actually: says((letter, choice) => `Hmm, at first I thought otherwise. Actually, it's ${letter} (${choice}).`),
  'step by step': says(
    (letter, choice, other) =>
      `Step 1: I locate the objects.\nStep 2: I compare ${other} with ${choice}.\nStep 3: I decide.\n\nTherefore, the correct option is ${letter}.`,
  ),
  'rules out the others': says(
    (letter, choice, other) => `It is not ${other}. That leaves ${choice}.\n\nAnswer: ${letter}`,
  ),
  'goes through the options': says(
    (letter, choice) => `A. Unlikely.\nB. Unlikely.\nStill, one must be right.\n\nFinal Answer: ${letter}) ${choice}`,
  ),
  'table, then answer': says(
    (letter) => `| Option | Fits? |\n|---|---|\n| A | ? |\n| B | ? |\n\n**Answer:** ${letter}`,
  ),
  Chinese: says((letter) => `根据视频中的画面，正确答案是 ${letter}。`),
  'Chinese, short': says((letter) => `答案：${letter}`),
  'Chinese, chooses': says((letter, choice) => `我选择${letter}（${choice}）。`),
  German: says((letter) => `Die richtige Antwort ist ${letter}.`),
  Spanish: says((letter) => `La respuesta correcta es la opción ${letter}.`),
  French: says((letter) => `La bonne réponse est ${letter}.`),
  Japanese: says((letter) => `正解は${letter}です。`),
  'em dash': says((letter, choice) => `${letter} — ${choice}`),
  'closing remark': says((letter) => `My answer is ${letter}. Let me know if you need anything else!`),
  'confident afterwards': says((letter) => `Answer: ${letter}\nConfidence: 85%`),
  emoji: says((letter, choice) => `✅ **${letter}) ${choice}**`),
  'Harmony channels': says(
    (letter, _, other) =>
      `<|channel|>analysis<|message|>Could be ${other}.<|end|><|start|>assistant<|channel|>final<|message|>${letter}<|return|>`,
  ),
  'Kimi thinking': says((letter) => `◁think▷Maybe A, maybe B.◁/think▷The answer is ${letter}`),
  'quoted letter': says((letter) => `"${letter}"`),
  'LaTeX dollar': says((letter) => `The answer is $\\textbf{${letter}}$`),
  'code block': says((letter) => `\`\`\`\n${letter}\n\`\`\``),
  refusal: undecided(() => "I'm sorry, but I can't determine this from the images provided."),
  'refusal that names options': undecided(
    (_, choice, other) => `I cannot tell whether it is ${choice} or ${other} from these frames.`,
  ),
  'two letters': undecided((letter) => (letter === 'A' ? 'A or B' : `A or ${letter}`)),
  'two letters as an answer': undecided(() => 'The answer is either A or B.'),
  'JSON null': undecided(() => '{"reasoning": "not visible", "answer": null}'),
  'JSON with two letters': undecided(() => '{"answer": "A/B"}'),
  'letter not offered': undecided(() => 'The answer is J.'),
  'only reasoning': undecided(
    (_, choice, other) =>
      `Let me look at the frames. I see the ${choice} and the ${other}. I need to compare them carefully, and`,
  ),
  'cut off in thinking': undecided(
    (letter, choice) => `<think>So it should be ${letter}, that is ${choice}. But let me check the second image`,
  ),
  'cut off before the answer': undecided(() => '{"reasoning": "The robot first has to go to the'),
  empty: undecided(() => ''),
  'asks back': undecided(() => 'Could you clarify which object you mean?'),
  'template copied': undecided(() => '{"reasoning": "<brief explanation>", "answer": "<A, B, C, or D>"}'),
}

type NumberManner = (quantity: Quantity) => Written<number>

const tells =
  (write: (quantity: Quantity) => string): NumberManner =>
  (quantity) => ({ reply: write(quantity), expected: quantity.value })
const tellsNothing =
  (write: (quantity: Quantity) => string): NumberManner =>
  (quantity) => ({ reply: write(quantity), expected: null })

export const NUMBER_MANNERS: Readonly<Record<string, NumberManner>> = {
  'bare number': tells(({ value }) => String(value)),
  'number and period': tells(({ value }) => `${value}.`),
  'number and unit': tells(({ full }) => full),
  approximately: tells(({ full }) => `approximately ${full}`),
  tilde: tells(({ full }) => `~${full}`),
  'Answer: N': tells(({ value }) => `Answer: ${value}`),
  'bold answer': tells(({ full }) => `**Answer: ${full}**`),
  'final answer below': tells(({ full }) => `## Final Answer\n\n**${full}**`),
  sentence: tells(({ sentence }) => `${sentence}.`),
  'sentence after looking': tells(({ sentence }) => `Looking at all 8 frames, image 3 is the clearest. ${sentence}.`),
  'number words': tells(({ full, value, words }) => full.replace(String(value), words)),
  'number in words, bare': tells(({ words }) => words),
  boxed: tells(({ value }) => `Thus the result is $\\boxed{${value}}$.`),
  'boxed with unit': tells(({ full, value }) => `\\[\\boxed{${value}\\,\\text{${full.replace(`${value} `, '')}}}\\]`),
  'answer tag': tells(({ value }) => `<answer>${value}</answer>`),
  'answer tag with unit': tells(
    ({ full }) => `<think>It looks like ${full}, or a bit more: 99.</think><answer>${full}</answer>`,
  ),
  'think, then number': tells(({ value, other }) => `<think>First I guessed ${other}.</think>\n${value}`),
  JSON: tells(({ value }) => `{"reasoning": "see frames 1 and 5", "answer": ${value}}`),
  'JSON string': tells(({ value }) => `{"reasoning": "estimate", "answer": "${value}"}`),
  'JSON with unit': tells(({ full }) => `{"reasoning": "estimate", "answer": "${full}"}`),
  'JSON with about': tells(({ full }) => `\`\`\`json\n{"answer": "about ${full}"}\n\`\`\``),
  'JSON, words': tells(({ words }) => `{"answer": "${words}"}`),
  'JSON without quotes': tells(({ full }) => `{answer: ${full}}`),
  'JSON draft and final': tells(({ value }) => `{"answer": 77}\nNo, wait:\n{"answer": ${value}}`),
  'the answer is': tells(({ full }) => `So the answer is ${full}.`),
  'I would estimate': tells(({ full }) => `I would estimate ${full}.`),
  'my best guess': tells(({ full }) => `It is hard to say, but my best guess is about ${full}.`),
  'corrects itself': tells(({ full, other }) => `It is ${other}. Wait, no, on closer inspection it is ${full}.`),
  actually: tells(({ full, other }) => `I'd say ${other}… actually, ${full}.`),
  'number first, then why': tells(
    ({ full }) => `${full}\n\nI based this on images 2 and 5, using the door as a reference.`,
  ),
  'in bold in a sentence': tells(
    ({ full, sentence }) => `${sentence.replace(full.split(' ')[0]!, `**${full.split(' ')[0]}**`)}.`,
  ),
  'confidence afterwards': tells(({ value }) => `Answer: ${value}\nConfidence: 90%`),
  'table, then total': tells(
    ({ full }) => `| Frame | Seen |\n|---|---|\n| 1 | yes |\n| 2 | no |\n\nFinal answer: ${full}`,
  ),
  'thinks aloud in steps': tells(
    ({ full, other }) =>
      `1. I look at the first image.\n2. I compare it with the second.\n3. It could be ${other}.\n\nIn conclusion, the answer is ${full}.`,
  ),
  Chinese: tells(({ value }) => `答案是${value}。`),
  German: tells(({ value }) => `Die Antwort lautet ${value}.`),
  Spanish: tells(({ value }) => `La respuesta es ${value}.`),
  French: tells(({ value }) => `La réponse est ${value}.`),
  Japanese: tells(({ value }) => `答えは${value}です。`),
  'unit in parentheses': tells(({ value }) => `Estimated value (in the requested unit): ${value}`),
  'equals sign': tells(({ value }) => `answer = ${value}`),
  'XML with attributes': tells(({ value }) => `<result><answer>${value}</answer><confidence>0.7</confidence></result>`),
  refusal: tellsNothing(() => "I'm unable to determine this from the provided images."),
  'refusal with frame numbers': tellsNothing(
    () => 'Image 4 shows nothing of interest, and frames 2 and 3 are too dark to tell.',
  ),
  'cut-off move': tellsNothing(() => '{"forward_meters": 0.5, "left_meter'),
  'only reasoning': tellsNothing(
    () => 'First, I need to look at the room from the other side. The door is visible, but',
  ),
  range: tellsNothing(({ value }) => `Somewhere between ${value} and ${value * 2}.`),
  'JSON range': tellsNothing(({ value }) => `{"answer": "${value}-${value * 2}"}`),
  'JSON null': tellsNothing(() => '{"reasoning": "cannot be seen", "answer": null}'),
  'letter for a number': tellsNothing(() => '{"answer": "B"}'),
  empty: tellsNothing(() => '   '),
  'JSON with not a number': tellsNothing(() => '{"answer": "unknown"}'),
  NaN: tellsNothing(() => '{"answer": NaN}'),
  'template copied': tellsNothing(() => '{"reasoning": "<brief explanation>", "answer": <number>}'),
  'cut off in thinking': tellsNothing(({ full }) => `<think>I believe it is ${full}, but let me verify`),
}
