/** Replies with candidate functions: every program in every manner of writing it down. */
import { shelfOf } from '../../../src/suites/articulate/domain/assembly/parts.ts'
import { buildFrom } from '../../../src/suites/articulate/parse/answer.ts'
import { boxPart } from '../../../test/support/suites/articulate/boxes.ts'
import type { Corpus, ReadReply } from '../corpus.ts'
import { PROGRAMS } from './programs.ts'

const shelf = shelfOf([
  boxPart('body', [0.6, 0.8, 1]),
  boxPart('door', [0.05, 0.7, 0.9]),
  boxPart('drawer', [0.5, 0.6, 0.2]),
  boxPart('lid', [0.6, 0.8, 0.1]),
  boxPart('knob', [0.05, 0.05, 0.05]),
])

/** The joints of what a reply builds, `error` for a program that does not run, null for no program. */
function read(reply: string): readonly string[] | 'error' | null {
  const built = buildFrom(reply, shelf)
  if (built.kind !== 'robot') return built.kind === 'error' ? 'error' : null
  return built.robot.joints.map(({ child, type }) => `${child}:${type}`).sort()
}

const indented = (source: string, by: string): string =>
  source
    .split('\n')
    .map((line) => (line === '' ? line : by + line))
    .join('\n')

const FENCED = (source: string, language = 'python', fence = '```'): string =>
  `${fence}${language}\n${source}\n${fence}`

const DRAFT = `def partnet_0(input_dir, links):
    robot = Robot(name="draft")
    robot.add_link(links["base"])
    return robot`
const SNIPPET = 'pred_robot.make_revolute_joint("door", "body", [0, 1, 0], 0, 45)'

/** Manners in which the program stands whole in the reply. */
const WHOLE: Readonly<Record<string, (source: string) => string>> = {
  'fence alone': (s) => FENCED(s),
  'fence py': (s) => FENCED(s, 'py'),
  'fence Python': (s) => FENCED(s, 'Python'),
  'fence python3': (s) => FENCED(s, 'python3'),
  'fence without language': (s) => FENCED(s, ''),
  'fence with attributes': (s) => FENCED(s, 'python title="robot.py" linenums=1'),
  'wrong language': (s) => FENCED(s, 'json'),
  'language xml': (s) => FENCED(s, 'xml'),
  'tilde fence': (s) => FENCED(s, 'python', '~~~'),
  'four backticks': (s) => FENCED(s, 'python', '````'),
  'fence after prose': (s) => `Sure! Here is the function:\n\n${FENCED(s)}`,
  'prose on both sides': (s) =>
    `Looking at the pictures, the door swings out.\n\n${FENCED(s)}\n\nThis places every part. Let me know if you need changes!`,
  'thinking first': (s) => `<think>The hinge is left… or right? ${FENCED(DRAFT)} No, left.</think>\n${FENCED(s)}`,
  'thinking never opened': (s) => `Maybe the hinge is on the right.</think>\n\n${FENCED(s)}`,
  'thinking aloud': (s) =>
    `Let me think. The drawer slides along +x, so the axis is [1, 0, 0]. Wait, actually I should check \`links\`. OK:\n\n${FENCED(s)}`,
  'draft first': (s) => `First try:\n${FENCED(DRAFT)}\nThat forgets the joints. Final answer:\n${FENCED(s)}`,
  'snippet after': (s) => `${FENCED(s)}\n\nFor a smaller angle, change one line:\n\n${FENCED(SNIPPET)}`,
  'snippet before': (s) => `The joint is made by\n\n${FENCED(SNIPPET)}\n\nTogether:\n\n${FENCED(s)}`,
  'output after': (s) => `${FENCED(s)}\n\nOutput:\n\n${FENCED('Robot(7)', 'text')}`,
  'shell before': (s) => `${FENCED('pip install numpy', 'bash')}\n\n${FENCED(s)}`,
  'no fence': (s) => s,
  'no fence, prose before': (s) => `Here is the function:\n\n${s}`,
  'no fence, prose after': (s) => `${s}\n\nThe function places all parts and adds the joints.`,
  'python without fence': (s) => `python\n${s}`,
  'fence not closed': (s) => `Here you go:\n\`\`\`python\n${s}\n`,
  'closed on the last line': (s) => `\`\`\`python\n${s}\`\`\``,
  'fence indented': (s) => `1. The code:\n\n   \`\`\`python\n${indented(s, '   ')}\n   \`\`\``,
  'list item': (s) => `- \`\`\`python\n${indented(s, '  ')}\n  \`\`\``,
  'indented code': (s) => `The function:\n\n${indented(s, '    ')}\n`,
  quoted: (s) =>
    `> Answer\n>\n> \`\`\`python\n${s
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n')}\n> \`\`\``,
  'Windows lines': (s) => `Answer:\r\n\`\`\`python\r\n${s.replaceAll('\n', '\r\n')}\r\n\`\`\`\r\n`,
  'old Mac lines': (s) => FENCED(s).replaceAll('\n', '\r'),
  'byte order mark': (s) => `\uFEFF${FENCED(s)}`,
  'tabs for spaces': (s) => FENCED(s.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))),
  'spaces at line ends': (s) => FENCED(s.replace(/$/gm, '  ')),
  'blank lines between': (s) => FENCED(s.replaceAll('\n', '\n\n')),
  'JSON with code': (s) => JSON.stringify({ reasoning: 'The door is hinged.', code: s }),
  'JSON in a fence': (s) => FENCED(JSON.stringify({ code: s }, null, 2), 'json'),
  'JSON with a fence inside': (s) => `{"explanation": "done", "program": ${JSON.stringify(FENCED(s))}}`,
  'heading and fence': (s) => `# Solution\n\n## Code\n\n${FENCED(s)}\n\n## Notes\n\n* angles are in degrees`,
  'bold prose': (s) => `**Final answer**\n\n${FENCED(s)}\n\n**Done.**`,
  'table before': (s) => `| part | joint |\n|---|---|\n| door | revolute |\n\n${FENCED(s)}`,
  'German prose': (s) =>
    `Hier ist die Funktion, die das Objekt zusammensetzt:\n\n${FENCED(s)}\n\nDie Tür öffnet sich nach vorn.`,
  'Chinese prose': (s) => `根据图片，门绕着左边的轴旋转。代码如下：\n\n${FENCED(s)}\n\n以上。`,
  'harmony channel': (s) =>
    `<|channel|>analysis<|message|>${DRAFT}<|end|><|start|>assistant<|channel|>final<|message|>${FENCED(s)}`,
  'prompts of a session': (s) =>
    FENCED(
      s
        .split('\n')
        .map((line, i) => (i === 0 ? `>>> ${line}` : `... ${line}`))
        .join('\n'),
    ),
  'comment header': (s) => FENCED(`# -*- coding: utf-8 -*-\n# Candidate function\n\n${s}`),
  'test below': (s) => FENCED(`${s}\n\n\n# quick check\nassert callable(Robot)`),
  'inline code around': (s) =>
    `I use \`place_relative_to\` and \`make_revolute_joint\`.\n\n${FENCED(s)}\n\nSee \`links\`.`,
  'LaTeX around': (s) => `The axis is $\\hat{z} = [0, 0, 1]$.\n\n${FENCED(s)}\n\n$$\\boxed{90^\\circ}$$`,
  'two identical': (s) => `${FENCED(s)}\n\nAgain, complete:\n\n${FENCED(s)}`,
  'imports apart': (s) => `${FENCED('import math\nimport numpy as np')}\n\nThe function:\n\n${FENCED(s)}`,
}

/** Manners in which there is a program that cannot run. */
const BROKEN: Readonly<Record<string, (source: string) => string>> = {
  'cut off in a call': (s) => `\`\`\`python\n${s.slice(0, s.lastIndexOf('('))}(`,
  'cut off in a text': (s) => `\`\`\`python\n${s.slice(0, s.lastIndexOf('"'))}`,
  'no return': (s) => FENCED(s.replace(/return (?=(?:r|robot|pred_robot|\()\n|(?:r|robot|pred_robot)$)/g, '')),
  'misspelled part': (s) => FENCED(s.replace('"body"', '"boddy"')),
  'unknown method': (s) => FENCED(s.replaceAll('.place_relative_to', '.put_near')),
  'missing colon': (s) => FENCED(s.replace(/\)(?: -> Robot)?:\n/, ')\n')),
  'smart quotes mixed in': (s) => FENCED(s.replace('"body"', '“body”')),
  'pseudo code': (s) => FENCED(s.replace(/\n {4}\S/, '\n    ... place the parts ...$&')),
}

const NOTHING: readonly string[] = [
  '',
  '   \n\n ',
  "I'm sorry, but I can't help with that.",
  'I cannot see any images in this conversation. Could you upload them again?',
  'The door is hinged on the left and opens toward the viewer by about 90 degrees.',
  'As an AI language model I am not able to write to your file system.',
  '```json\n{"joint": "revolute", "axis": [0, 0, 1]}\n```',
  '```python\npred_robot.make_revolute_joint("door", "body", [0, 0, 1], 0, 90)\n```',
  '<think>def partnet_1(input_dir, links): maybe I should',
  '{"joint_type": "prismatic", "limits": [0, 0.4]}',
  'revolute',
  '```\n\n```',
  'The default axis is z. I defined nothing.',
  '抱歉，我无法完成这个请求。',
  'N/A',
  '1. Place the door in front.\n2. Add a hinge.\n3. Return the robot.',
  '```bash\npython build.py --object 7\n```',
  '| part | joint |\n|---|---|\n| door | revolute |',
]

const UNITS: readonly [string, string, readonly string[] | 'error'][] = [
  [
    'URDF in a fence',
    FENCED(
      '<robot name="r"><link name="base"/><link name="body"/><joint name="j" type="fixed"><parent link="base"/><child link="body"/></joint></robot>',
      'xml',
    ),
    ['body:fixed'],
  ],
  [
    'URDF in the text',
    'Here is the URDF:\n<?xml version="1.0"?>\n<robot name="r"><link name="base"/><link name="door"/><joint name="j" type="revolute"><parent link="base"/><child link="door"/><axis xyz="0 0 1"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>\nDone.',
    ['door:revolute'],
  ],
  [
    'helpers in a block of their own',
    `Helpers:\n${FENCED('def hinge(robot, part):\n    robot.make_revolute_joint(part, "body", [0, 0, 1], 0, 90)')}\nMain:\n${FENCED('def partnet_3(input_dir, links):\n    robot = Robot(name="r")\n    for n in ("base", "body", "door"): robot.add_link(links[n])\n    robot.make_fixed_joint("body", "base")\n    robot.place_relative_to("door", "body", "front")\n    hinge(robot, "door")\n    return robot')}`,
    ['body:fixed', 'door:revolute'],
  ],
  [
    'smart quotes throughout',
    FENCED(
      'def partnet_3(input_dir, links):\n    robot = Robot(name=“r”)\n    robot.add_link(links[‘base’])\n    robot.add_link(links[‘body’])\n    robot.make_fixed_joint(“body”, “base”)\n    return robot',
    ),
    ['body:fixed'],
  ],
  ['async function', FENCED('async def partnet_3(input_dir, links):\n    return Robot(name="r")'), 'error'],
]

function* replies(): Iterable<ReadReply> {
  const reply = (manner: string, text: string, expected: unknown): ReadReply => ({
    manner,
    reply: text,
    expected,
    read: read(text),
  })
  for (const { source, joints } of Object.values(PROGRAMS)) {
    for (const [manner, write] of Object.entries(WHOLE)) yield reply(manner, write(source), [...joints].sort())
    for (const [manner, write] of Object.entries(BROKEN)) yield reply(manner, write(source), 'error')
  }
  for (const text of NOTHING) yield reply('no program', text, null)
  for (const [manner, text, expected] of UNITS) yield reply(manner, text, expected)
}

export const articulatePrograms: Corpus = { bar: 0.99, replies }
