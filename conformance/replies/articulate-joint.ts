/** Joint critics' replies in the manner of real models. `expected` is what a person reads in them: a reason, or null. */

export interface JointVerdict {
  reason: 'success' | 'joint_type' | 'joint_axis' | 'joint_origin' | 'joint_limit'
  rating: number
  part: string
  truth: string
  predicted: string
  fix: string
}

/** What is being judged; the words of a critic that looked. */
export const JOINT_VERDICTS: readonly JointVerdict[] = [
  {
    reason: 'success',
    rating: 9,
    part: 'door',
    truth: 'The door swings outward around its right edge by roughly 90 degrees.',
    predicted: 'The door swings outward around its right edge by roughly 90 degrees as well.',
    fix: 'No changes needed.',
  },
  {
    reason: 'joint_type',
    rating: 0,
    part: 'drawer',
    truth: 'The drawer slides straight out of the cabinet body.',
    predicted: "The drawer rotates around its left side, as if it were a door; it doesn't slide.",
    fix: 'Use make_prismatic_joint with upper_point=[0.3, 0, 0].',
  },
  {
    reason: 'joint_axis',
    rating: 1,
    part: 'lid',
    truth: 'The lid opens upward, pivoting at the back edge.',
    predicted: 'The lid spins around the vertical axis like a lazy Susan.',
    fix: 'Change global_axis to [0, -1, 0].',
  },
  {
    reason: 'joint_origin',
    rating: 2,
    part: 'door_2',
    truth: 'The left edge stays fixed while the right edge moves.',
    predicted: 'The right edge stays fixed, so the door is hinged on the wrong side.',
    fix: 'Use vertices[2] (front-left-bottom) as pivot_point.',
  },
  {
    reason: 'joint_limit',
    rating: 3,
    part: 'door',
    truth: 'The door opens outward.',
    predicted: 'The door opens inward, passing through the body of the cabinet.',
    fix: 'Negate the axis or the limits so that it opens outward.',
  },
]

const json = (v: JointVerdict, change: object = {}): string =>
  JSON.stringify(
    {
      gt_description: v.truth,
      pred_description: v.predicted,
      candidate_function_description: `The function makes a joint for ${v.part}.`,
      failure_reason: v.reason,
      improvement_suggestion: v.fix,
      realism_rating: v.rating,
      ...change,
    },
    null,
    2,
  )

const spaced = (v: JointVerdict): string => v.reason.replace('_', ' ')
const title = (v: JointVerdict): string =>
  spaced(v)
    .split(' ')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ')
const other = (v: JointVerdict): string => (v.reason === 'joint_origin' ? 'joint_limit' : 'joint_origin')

/** By manner: the reply to a verdict, read as that verdict. */
export const JOINT_MANNERS: Readonly<Record<string, (v: JointVerdict) => string>> = {
  'exactly as asked': (v) => `\`\`\`json\n${json(v)}\n\`\`\``,
  'bare JSON': (v) => json(v),
  'one line': (v) => JSON.stringify(JSON.parse(json(v))),
  'a greeting first': (v) => `Sure! Here is my assessment of the predicted joint:\n\n\`\`\`json\n${json(v)}\n\`\`\``,
  'chatty on both sides': (v) =>
    `I compared both videos frame by frame.\n\n\`\`\`json\n${json(v)}\n\`\`\`\n\nLet me know if you'd like me to look at another joint!`,
  'fence without a language': (v) => `\`\`\`\n${json(v)}\n\`\`\``,
  'fence in capitals': (v) => `\`\`\`JSON\n${json(v)}\n\`\`\``,
  'rating as text': (v) => json(v, { realism_rating: String(v.rating) }),
  'rating out of ten': (v) => json(v, { realism_rating: `${v.rating}/10` }),
  'reason in capitals': (v) => json(v, { failure_reason: v.reason.toUpperCase() }),
  'reason with a space': (v) => json(v, { failure_reason: title(v) }),
  'reason with a hyphen': (v) => json(v, { failure_reason: v.reason.replace('_', '-') }),
  'reason in bold': (v) => json(v, { failure_reason: `**${v.reason}**` }),
  'reason in backticks': (v) => json(v, { failure_reason: `\`${v.reason}\`` }),
  'reason with its explanation': (v) => json(v, { failure_reason: `${v.reason}: ${v.predicted}` }),
  'reason with a remark in brackets': (v) => json(v, { failure_reason: `${v.reason} (most significant)` }),
  'reason in a sentence': (v) =>
    json(v, { failure_reason: v.reason === 'success' ? 'success, the motions match' : `incorrect ${spaced(v)}` }),
  'camel case keys': (v) =>
    JSON.stringify({
      gtDescription: v.truth,
      predDescription: v.predicted,
      failureReason: v.reason,
      realismRating: v.rating,
    }),
  'keys with spaces': (v) =>
    JSON.stringify({ 'GT Description': v.truth, 'Failure Reason': v.reason, 'Realism Rating': v.rating }),
  'a Python dictionary': (v) =>
    `{'gt_description': "${v.truth}", 'pred_description': "${v.predicted}", 'failure_reason': '${v.reason}', 'realism_rating': ${v.rating}}`,
  'a Python dictionary in a fence': (v) =>
    `\`\`\`python\n{'failure_reason': '${v.reason}', 'improvement_suggestion': None, 'realism_rating': ${v.rating}}\n\`\`\``,
  'trailing commas': (v) => json(v).replace('\n}', ',\n}'),
  'comments in the JSON': (v) =>
    `{\n  // first compare the videos\n  "failure_reason": "${v.reason}", // the checklist\n  "realism_rating": ${v.rating}\n}`,
  'raw newlines in text': (v) => json(v).replace(v.truth, `${v.truth}\nFrame 1: closed.\nFrame 5: open.`),
  'quotes left open in text': (v) =>
    `{"gt_description": "The "${v.part}" part moves", "failure_reason": "${v.reason}", "realism_rating": ${v.rating}}`,
  'curly quotes': (v) => `{“failure_reason”: “${v.reason}”, “realism_rating”: ${v.rating}}`,
  'keys without quotes': (v) => `{failure_reason: "${v.reason}", realism_rating: ${v.rating}}`,
  'wrapped in a list': (v) => `[${json(v)}]`,
  'wrapped in an object': (v) => `{"evaluation": ${json(v)}}`,
  'thinks in tags': (v) =>
    `<think>The ground truth... maybe {"failure_reason": "${other(v)}"}? No, look at frame 3 again.</think>\n\`\`\`json\n${json(v)}\n\`\`\``,
  'thinks, the opening tag is missing': (v) => `Could it be ${other(v)}? Hmm, no.\n</think>\n${json(v)}`,
  'thinks aloud, then JSON': (v) =>
    `Let me look at the ground truth first. ${v.truth} Now the prediction: ${v.predicted} Is it ${other(v)}? I don't think so, so I settle on this:\n${json(v)}`,
  'a draft, then a correction': (v) =>
    `${json({ ...v, reason: other(v) as JointVerdict['reason'] })}\n\nWait, looking at the last frame again, that's not right. Corrected:\n\n${json(v)}`,
  'repeats the template first': (v) =>
    `Format:\n{"failure_reason": "{one of: success, joint_type, joint_axis, joint_origin, joint_limit}", "realism_rating": "{0-10}"}\n\nMy answer:\n${json(v)}`,
  'the template last': (v) =>
    `${json(v)}\n\n(The format was {"failure_reason": "{one of: success, joint_type, joint_axis, joint_origin, joint_limit}", "realism_rating": "{0-10}"}.)`,
  'cut off after the reason': (v) => json(v).slice(0, json(v).indexOf('"improvement_suggestion"') + 30),
  'cut off in the suggestion, fenced': (v) => `\`\`\`json\n${json(v).slice(0, json(v).indexOf(v.fix) + 8)}`,
  'cut off before the last brace': (v) => json(v).slice(0, -2),
  'YAML instead of JSON': (v) =>
    `gt_description: ${v.truth}\npred_description: ${v.predicted}\nfailure_reason: ${v.reason}\nrealism_rating: ${v.rating}`,
  'markdown list': (v) =>
    `### Evaluation\n\n- **Ground truth**: ${v.truth}\n- **Prediction**: ${v.predicted}\n- **Failure reason**: ${v.reason}\n- **Realism rating**: ${v.rating}/10`,
  'markdown with the colon inside': (v) =>
    `**GT description:** ${v.truth}\n\n**Failure Reason:** \`${v.reason}\`\n\n**Realism Rating:** ${v.rating}`,
  'markdown table': (v) =>
    `| Field | Value |\n|---|---|\n| failure_reason | ${v.reason} |\n| realism_rating | ${v.rating} |\n| improvement_suggestion | ${v.fix} |`,
  'a sentence': (v) => `The failure reason is ${v.reason}, so I would rate this ${v.rating} out of 10.`,
  'prose with a verdict': (v) => `${v.truth} ${v.predicted}\n\nVerdict: \`${v.reason}\`.`,
  'prose that rules others out': (v) =>
    `${v.truth} ${v.predicted} This is not ${other(v)}. Overall I classify this as ${v.reason}.`,
  'the reason alone': (v) => v.reason,
  'the reason alone, with a full stop': (v) => `${title(v)}.`,
  boxed: (v) => `${v.predicted}\n\nFailure reason: $\\boxed{\\text{${v.reason.replace('_', '\\_')}}}$`,
  'German around it': (v) =>
    `Hier ist meine Bewertung des Gelenks:\n\`\`\`json\n${json(v, { gt_description: 'Die Tür öffnet sich nach außen.', improvement_suggestion: 'Keine Änderung nötig.' })}\n\`\`\`\nIch hoffe, das hilft!`,
  'Chinese around it': (v) =>
    `好的，我来比较两个视频。\n\`\`\`json\n${json(v, { gt_description: '门向外打开。', pred_description: '预测的门不同。' })}\n\`\`\`\n希望对您有帮助。`,
  'full-width colon': (v) => `failure_reason：${v.reason}\nrealism_rating：${v.rating}`,
  'Spanish list': (v) => `Descripción: ${v.truth}\nfailure_reason: "${v.reason}"\nrealism_rating: ${v.rating}`,
  'harmony channels': (v) =>
    `<|channel|>analysis<|message|>maybe ${other(v)}<|end|><|start|>assistant<|channel|>final<|message|>${json(v)}<|return|>`,
  'escaped JSON keys in XML': (v) => `<answer>\n${json(v)}\n</answer>`,
  'rating contradicts the reason': (v) => json(v, { realism_rating: v.reason === 'success' ? 4 : 8 }),
  'no rating': (v) => JSON.stringify({ failure_reason: v.reason, improvement_suggestion: v.fix }),
  'rating only': (v) =>
    JSON.stringify({ gt_description: v.truth, pred_description: v.predicted, realism_rating: v.rating }),
  'null reason, rating given': (v) => JSON.stringify({ failure_reason: null, realism_rating: v.rating }),
}

/** Replies with a reading of their own. */
export const JOINT_OTHERS: readonly { manner: string; reply: string; expected: JointVerdict['reason'] | null }[] = [
  { manner: 'refusal', reply: "I'm sorry, but I can't evaluate these videos.", expected: null },
  {
    manner: 'refusal',
    reply: "I don't see any video attached. Could you please upload the ground truth and the prediction?",
    expected: null,
  },
  {
    manner: 'refusal',
    reply: "Unfortunately I'm not able to view videos, so I cannot assess the joint prediction.",
    expected: null,
  },
  { manner: 'refusal', reply: '抱歉，我无法查看视频。', expected: null },
  { manner: 'empty', reply: '', expected: null },
  { manner: 'empty', reply: '\n\n   \n', expected: null },
  { manner: 'empty', reply: '{}', expected: null },
  { manner: 'empty', reply: '```json\n```', expected: null },
  {
    manner: 'template only',
    reply:
      '{"failure_reason": "{one of: success, joint_type, joint_axis, joint_origin, joint_limit}", "realism_rating": "{0-10}"}',
    expected: null,
  },
  {
    manner: 'cut off before the reason',
    reply: '```json\n{\n  "gt_description": "The door opens around',
    expected: null,
  },
  {
    manner: 'cut off before the reason',
    reply: '{"gt_description": "The drawer slides out.", "pred_description": "The drawer',
    expected: null,
  },
  {
    manner: 'cut off in thinking',
    reply: '<think>The ground truth shows a joint_axis problem, or is it the',
    expected: null,
  },
  { manner: 'invented reason', reply: '{"failure_reason": "joint_speed", "realism_rating": 4}', expected: null },
  { manner: 'invented reason', reply: '{"failure_reason": "texture mismatch", "realism_rating": 5}', expected: null },
  { manner: 'vague', reply: 'It looks pretty good to me overall, nice work!', expected: null },
  { manner: 'vague', reply: 'The prediction could be improved.', expected: null },
  { manner: 'no failure', reply: '{"failure_reason": "none", "realism_rating": 9}', expected: 'success' },
  { manner: 'no failure', reply: '{"failure_reason": "None", "realism_rating": "10"}', expected: 'success' },
  { manner: 'no failure', reply: '{"failure_reason": "N/A", "realism_rating": 8}', expected: 'success' },
  { manner: 'no failure', reply: '{"failure_reason": "No errors detected", "realism_rating": 8}', expected: 'success' },
  { manner: 'no failure', reply: '{"failure_reason": "no issues", "realism_rating": 10}', expected: 'success' },
  { manner: 'no failure', reply: '- Failure reason: none\n- Rating: 9/10', expected: 'success' },
  { manner: 'bare word', reply: '{"failure_reason": "axis", "realism_rating": 1}', expected: 'joint_axis' },
  { manner: 'bare word', reply: '{"failure_reason": "wrong axis", "realism_rating": 1}', expected: 'joint_axis' },
  { manner: 'bare word', reply: '{"failure_reason": "origin", "realism_rating": 2}', expected: 'joint_origin' },
  {
    manner: 'bare word',
    reply: '{"failure_reason": "incorrect pivot", "realism_rating": 2}',
    expected: 'joint_origin',
  },
  { manner: 'bare word', reply: '{"failure_reason": "limits", "realism_rating": 3}', expected: 'joint_limit' },
  { manner: 'bare word', reply: '{"failure_reason": "wrong type", "realism_rating": 0}', expected: 'joint_type' },
  {
    manner: 'several reasons',
    reply: '{"failure_reason": "joint_axis and joint_limit", "realism_rating": 1}',
    expected: 'joint_axis',
  },
  {
    manner: 'several reasons',
    reply: '{"failure_reason": "joint_limit, joint_origin", "realism_rating": 2}',
    expected: 'joint_origin',
  },
  {
    manner: 'several reasons',
    reply: '{"failure_reason": "joint_type / joint_axis", "realism_rating": 0}',
    expected: 'joint_type',
  },
  {
    manner: 'denies in the field',
    reply: '{"failure_reason": "not success, joint_limit", "realism_rating": 3}',
    expected: 'joint_limit',
  },
  {
    manner: 'checklist in prose',
    reply:
      '1. Joint type: revolute in both, fine.\n2. Joint axis: z in both, fine.\n3. Joint origin: the prediction pivots on the wrong edge.\n4. Joint limit: fine.\n\nFinal verdict: joint_origin. Rating: 2',
    expected: 'joint_origin',
  },
  {
    manner: 'checklist in prose',
    reply: 'Joint type ✔\nJoint axis ✘ (rotates about x instead of z)\n\nTherefore the failure reason is joint_axis.',
    expected: 'joint_axis',
  },
  { manner: 'rating words', reply: '{"realism_rating": "9 - excellent match"}', expected: 'success' },
  { manner: 'undecided rating', reply: '{"realism_rating": 5, "pred_description": "roughly similar"}', expected: null },
  {
    manner: 'two objects for two joints, the last counts',
    reply:
      'Attempt 1: {"failure_reason": "success", "realism_rating": 9}\nOn reflection the hinge is on the wrong side.\nAttempt 2: {"failure_reason": "joint_origin", "realism_rating": 2}',
    expected: 'joint_origin',
  },
  { manner: 'number words', reply: 'Failure reason: joint_limit\nRealism rating: three', expected: 'joint_limit' },
  {
    manner: 'nested explanation',
    reply:
      '{"analysis": {"gt": "slides", "pred": "rotates"}, "result": {"failure_reason": "joint_type", "realism_rating": 0}}',
    expected: 'joint_type',
  },
  {
    manner: 'a long story',
    reply: `${'The frames show the door at rest. '.repeat(60)}\n\n{"failure_reason": "joint_axis", "realism_rating": 1}`,
    expected: 'joint_axis',
  },
]
