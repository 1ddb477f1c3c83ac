/** Link critics' and URDF critics' replies in the manner of real models. */

export interface LinkVerdict {
  rating: number
  why: string
}

export const LINK_VERDICTS: readonly LinkVerdict[] = [
  { rating: 9, why: 'The two images are practically identical; every part is where it belongs.' },
  { rating: 3, why: 'The handle floats above the body. Try placement="inside" with a small negative clearance.' },
  { rating: 0, why: 'Nothing of the object can be recognized: all 4 parts are stacked on top of each other.' },
  { rating: 6, why: "The seat is 2 cm too high, but nothing is detached; it's a minor issue." },
]

const json = ({ rating, why }: LinkVerdict, change: object = {}): string =>
  JSON.stringify({ realism_rating: rating, description: why, ...change }, null, 2)
const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const word = (rating: number): string => WORDS[rating]!

export const LINK_MANNERS: Readonly<Record<string, (v: LinkVerdict) => string>> = {
  'exactly as asked': (v) => `\`\`\`json\n${json(v, { realism_rating: String(v.rating) })}\n\`\`\``,
  'bare JSON': (v) => json(v),
  chatty: (v) => `Happy to help! Comparing both images:\n\n${json(v)}\n\nDo you want suggestions for the code, too?`,
  'out of ten': (v) => json(v, { realism_rating: `${v.rating}/10` }),
  'out of ten in words': (v) => json(v, { realism_rating: `${v.rating} out of 10` }),
  'with decimals': (v) => json(v, { realism_rating: `${v.rating}.0` }),
  'as a percentage': (v) => json(v, { realism_rating: `${v.rating * 10}%` }),
  'out of five': (v) => json(v, { realism_rating: `${v.rating / 2}/5` }),
  'out of a hundred': (v) => json(v, { realism_rating: `${v.rating * 10}/100` }),
  'number word': (v) => json(v, { realism_rating: word(v.rating) }),
  about: (v) => json(v, { realism_rating: `about ${v.rating}` }),
  tilde: (v) => json(v, { realism_rating: `~${v.rating}` }),
  'with a remark': (v) => json(v, { realism_rating: `${v.rating} (see below)` }),
  'with a dash and a remark': (v) => json(v, { realism_rating: `${v.rating} - compared with the groundtruth` }),
  bold: (v) => json(v, { realism_rating: `**${v.rating}**` }),
  'Python dictionary': (v) => `{'realism_rating': ${v.rating}, 'description': "${v.why.replaceAll('"', "'")}"}`,
  'camel case': (v) => JSON.stringify({ realismRating: v.rating, description: v.why }),
  'another name for it': (v) => JSON.stringify({ rating: v.rating, justification: v.why }),
  'score instead of rating': (v) => JSON.stringify({ score: v.rating, reasoning: v.why }),
  'title case keys': (v) => JSON.stringify({ 'Realism Rating': v.rating, Description: v.why }),
  'trailing comma': (v) => json(v).replace('\n}', ',\n}'),
  'raw newline in the text': (v) => json(v).replace('. ', '.\n'),
  'quotes left open in text': (v) => `{"realism_rating": ${v.rating}, "description": "the "door" is there"}`,
  wrapped: (v) => `{"response": ${json(v)}}`,
  listed: (v) => `[${json(v)}]`,
  'thinks in tags': (v) => `<think>I'd say {"realism_rating": 5} at first.</think>${json(v)}`,
  'a draft, then a correction': (v) =>
    `${json({ rating: v.rating === 9 ? 2 : 9, why: 'At first glance.' })}\n\nActually, on closer inspection:\n\n${json(v)}`,
  'template first': (v) => `{"realism_rating": "{0-10}", "description": "{justify your rating}"}\n\n${json(v)}`,
  'template last': (v) => `${json(v)}\n\nas in {"realism_rating": "{0-10}", "description": "{justify your rating}"}`,
  'cut off in the description': (v) => json(v).slice(0, json(v).indexOf('"description"') + 30),
  'cut off, fenced': (v) => `\`\`\`json\n${json(v).slice(0, json(v).indexOf('"description"') + 40)}`,
  YAML: (v) => `realism_rating: ${v.rating}\ndescription: ${v.why}`,
  markdown: (v) => `**Realism rating:** ${v.rating}/10\n\n**Description:** ${v.why}`,
  'markdown, colon outside': (v) => `- **Realism Rating**: ${v.rating}\n- **Description**: ${v.why}`,
  heading: (v) => `## Realism rating: ${v.rating} / 10\n\n${v.why}`,
  table: (v) => `| realism_rating | ${v.rating} |\n|---|---|\n| description | ${v.why} |`,
  prose: (v) => `${v.why} I would rate this ${v.rating} out of 10.`,
  'prose with a slash': (v) => `Rating: ${v.rating}/10. ${v.why}`,
  'prose with a word': (v) => `${v.why} I'd give it a ${word(v.rating)}.`,
  'French around it': (v) =>
    `Voici mon évaluation :\n\`\`\`json\n${json(v, { description: 'La poignée est bien placée.' })}\n\`\`\``,
  'Japanese around it': (v) =>
    `評価結果は以下の通りです。\n${json(v, { description: '部品は正しい位置にあります。' })}`,
  'decimal comma': (v) => json(v, { realism_rating: `${v.rating},0` }),
}

export const LINK_OTHERS: readonly { manner: string; reply: string; expected: number | null }[] = [
  { manner: 'a fraction of the scale', reply: '{"realism_rating": 7.5, "description": "nearly"}', expected: 7.5 },
  { manner: 'below one', reply: '{"realism_rating": 0.8, "description": "hardly recognizable"}', expected: 0.8 },
  { manner: 'below one, as text', reply: '{"realism_rating": "0.8"}', expected: 0.8 },
  { manner: 'a range', reply: '{"realism_rating": "7-8", "description": "good"}', expected: 7.5 },
  { manner: 'a range', reply: '{"realism_rating": "3 to 4"}', expected: 3.5 },
  { manner: 'decimal comma', reply: '{"realism_rating": "7,5"}', expected: 7.5 },
  { manner: 'out of range', reply: '{"realism_rating": 42}', expected: null },
  { manner: 'out of range', reply: '{"realism_rating": -1}', expected: null },
  { manner: 'out of range', reply: '{"realism_rating": "12/10"}', expected: null },
  { manner: 'a word for it', reply: '{"realism_rating": "high", "description": "good"}', expected: null },
  { manner: 'a word for it', reply: '{"realism_rating": "excellent"}', expected: null },
  { manner: 'null', reply: '{"realism_rating": null, "description": "cannot tell"}', expected: null },
  { manner: 'refusal', reply: "I'm unable to compare the images because only one image was provided.", expected: null },
  { manner: 'refusal', reply: "I can't assist with that.", expected: null },
  { manner: 'refusal', reply: 'Es tut mir leid, ich kann keine Bilder sehen.', expected: null },
  { manner: 'empty', reply: '', expected: null },
  { manner: 'empty', reply: '```json\n{}\n```', expected: null },
  {
    manner: 'template only',
    reply: '{"realism_rating": "{0-10}", "description": "{justify your rating}"}',
    expected: null,
  },
  {
    manner: 'cut off too early',
    reply: '{"description": "The prediction shows the lid floating", "realism_ra',
    expected: null,
  },
  { manner: 'cut off in thinking', reply: '<think>rating 8/10? Let me see the second image, the', expected: null },
  {
    manner: 'numbers that are no rating',
    reply: 'The prediction has 4 parts and the groundtruth has 5; the seat is 3 cm too high.',
    expected: null,
  },
  {
    manner: 'scale mentioned first',
    reply: 'On a scale of 0-10, I would rate the prediction 4/10 because the lid floats.',
    expected: 4,
  },
  {
    manner: 'two ratings, the last counts',
    reply: 'Before looking at the code I would have said 8/10. The handle is detached, though: 3/10.',
    expected: 3,
  },
  {
    manner: 'description first',
    reply: '{"description": "2 of 3 parts are right; the lid is 10 cm off", "realism_rating": 4}',
    expected: 4,
  },
  {
    manner: 'numbers in the description',
    reply: '{"description": "rating 9 would be too much", "realism_rating": "4"}',
    expected: 4,
  },
  { manner: 'a number in text', reply: 'realism_rating = 7', expected: 7 },
  { manner: 'bare number', reply: 'Rating: 7', expected: 7 },
]

export interface UrdfVerdict {
  position: number
  /** Type and position of the two joints. */
  details: readonly [readonly [number, number], readonly [number, number]]
}

export const URDF_JOINTS = ['body_to_door', 'body_to_drawer']
export const URDF_VERDICTS: readonly UrdfVerdict[] = [
  {
    position: 8.5,
    details: [
      [10, 9],
      [9, 8],
    ],
  },
  {
    position: 3,
    details: [
      [2, 5],
      [0, 1],
    ],
  },
  {
    position: 7,
    details: [
      [10, 4],
      [6, 6],
    ],
  },
]

const joint = ({ details: [[a, b], [c, d]] }: UrdfVerdict): number => (a + b + c + d) / 4
const evaluation = (v: UrdfVerdict, change: object = {}): object => ({
  link_position_score: v.position,
  link_position_reasoning: 'Seen from all four sides the parts touch.',
  joint_score: joint(v),
  joint_evaluation_details: v.details.map(([type_score, position_score], i) => ({
    joint_name: URDF_JOINTS[i],
    type_score,
    position_score,
    reasoning: 'The origin xyz="0.25 0.5 0" corresponds to the edge.',
  })),
  success: v.position >= 8 && joint(v) >= 8,
  ...change,
})
const told = (v: UrdfVerdict, change: object = {}): string => JSON.stringify(evaluation(v, change), null, 2)

/** Read as position and joint score. */
export const URDF_MANNERS: Readonly<Record<string, (v: UrdfVerdict) => string>> = {
  'exactly as asked': (v) => `\`\`\`json\n${told(v)}\n\`\`\``,
  'bare JSON': (v) => told(v),
  chatty: (v) =>
    `## Evaluation\nI examined the renders and the URDF.\n\n\`\`\`json\n${told(v)}\n\`\`\`\nHope that helps.`,
  'numbers as text': (v) => told(v, { link_position_score: String(v.position), joint_score: String(joint(v)) }),
  'out of ten': (v) => told(v, { link_position_score: `${v.position}/10` }),
  'joint score that contradicts the details': (v) => told(v, { joint_score: 10 }),
  'success that contradicts the scores': (v) => told(v, { success: 'true' }),
  'no joint score': (v) => told(v, { joint_score: undefined }),
  'no details': (v) => told(v, { joint_evaluation_details: undefined }),
  'details as an object': (v) =>
    told(v, {
      joint_evaluation_details: Object.fromEntries(
        v.details.map(([type_score, position_score], i) => [URDF_JOINTS[i], { type_score, position_score }]),
      ),
    }),
  'Python dictionary': (v) =>
    `{'link_position_score': ${v.position}, 'joint_score': ${joint(v)}, 'joint_evaluation_details': [], 'success': False}`,
  'camel case': (v) => JSON.stringify({ linkPositionScore: v.position, jointScore: joint(v), success: false }),
  'thinks in tags': (v) => `<think>{"link_position_score": 1, "joint_score": 1}</think>\n${told(v)}`,
  'a draft, then a correction': (v) =>
    `{"link_position_score": 5, "joint_score": 5}\n\nAfter checking the origins once more:\n\n${told(v)}`,
  'trailing commas': (v) => told(v).replace('\n}', ',\n}'),
  markdown: (v) => `**Link position score:** ${v.position}/10\n\n**Joint score:** ${joint(v)}/10\n\n**Success:** false`,
  YAML: (v) => `link_position_score: ${v.position}\njoint_score: ${joint(v)}\nsuccess: false`,
  'cut off in the details': (v) => {
    const text = JSON.stringify(evaluation(v))
    return text.slice(0, text.indexOf('"joint_evaluation_details"') + 40)
  },
  'Chinese reasoning': (v) => `评估如下：\n${told(v, { link_position_reasoning: '各部件位置合理。' })}`,
}

export const urdfExpected = (v: UrdfVerdict): { position: number; joint: number } => ({
  position: v.position,
  joint: joint(v),
})

export const URDF_OTHERS: readonly {
  manner: string
  reply: string
  expected: { position: number; joint: number } | null
}[] = [
  { manner: 'refusal', reply: 'I cannot evaluate the URDF without the rendered images.', expected: null },
  { manner: 'empty', reply: '', expected: null },
  {
    manner: 'template',
    reply:
      '{"link_position_score": "<float, 0-10>", "joint_score": "<float, 0-10, the final average score for all joints>"}',
    expected: null,
  },
  { manner: 'cut off', reply: '{"link_position_reasoning": "The parts", "link_pos', expected: null },
  { manner: 'no joint evaluated', reply: '{"link_position_score": 8, "success": true}', expected: null },
  {
    manner: 'unknown joints, a joint score',
    reply:
      '{"link_position_score": 6, "joint_score": 7, "joint_evaluation_details": [{"joint_name": "hinge", "type_score": 1, "position_score": 1}]}',
    expected: { position: 6, joint: 7 },
  },
]
