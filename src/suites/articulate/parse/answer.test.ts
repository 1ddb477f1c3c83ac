import { expect, test } from 'vitest'
import { boxPart } from '../../../../test/support/suites/articulate/boxes.ts'
import { buildFrom } from './answer.ts'

const shelf = new Map([
  ['body', boxPart('body', [1, 1, 1], [0, 0, 0])],
  ['lid', boxPart('lid', [1, 1, 0.1], [0, 0, 0])],
])

/** Placed twice, a part is where it was after the first time; in the published language it has moved on. */
const PROGRAM = `\`\`\`python
def partnet_1(input_dir, links) -> Robot:
    robot = Robot(input_dir=input_dir, name="1")
    robot.add_link(links['body'])
    robot.add_link(links['lid'])
    robot.place_relative_to('lid', 'body', placement="above")
    robot.place_relative_to('lid', 'body', placement="above")
    return robot
\`\`\``

test('the language option selects program semantics', () => {
  const place = (language: 'fixed' | 'upstream') => {
    const built = buildFrom(PROGRAM, shelf, language)
    if (built.kind !== 'robot') throw new Error(built.kind === 'error' ? built.problem : 'nothing was built')
    return built.urdf
  }
  expect(place('fixed')).toBe(place('fixed'))
  expect(place('upstream')).not.toBe(place('fixed'))
})

test.each(['\n', '{', '"', "'", '7', '\\', '`', '```\n', '~~~\n', ' ', '\r', 'def f(\n', '(', 'f"{'])(
  'a megabyte of %j in a reply is read once',
  (unit) => {
    const long = unit.repeat(Math.ceil(1_000_000 / unit.length))
    for (const reply of [long, `\`\`\`python\n${long}`, `def partnet_1(a, b):\n${long}`])
      expect(buildFrom(reply, shelf).kind).not.toBe('robot')
  },
)

test('the last block that defines the function is the answer, with the blocks that it needs', () => {
  const helper = '```python\ndef lift(robot):\n    robot.place_relative_to("lid", "body", "above")\n```'
  const draft = PROGRAM.replace("robot.add_link(links['lid'])", 'pass')
  const last = PROGRAM.replaceAll(/robot\.place_relative_to\(.*\)/g, 'lift(robot)')
  expect(buildFrom(`${helper}\nDraft:\n${draft}\nFinal:\n${last}`, shelf).kind).toBe('robot')
  expect(buildFrom(last, shelf)).toMatchObject({
    kind: 'error',
    problem: "line 5: NameError: name 'lift' is not defined",
  })
})

test.each([
  ['async def partnet_1(a, b):\n    pass', 'line 1: `async` is not supported'],
  ['def partnet_1(a, b):\n    x = f"""\n{a}\n{1 / 0}"""', 'line 4: ZeroDivisionError: division by zero'],
  [
    'def partnet_1(a, b):\n    return open("x")',
    'line 2: NotImplementedError: open() is not supported: files are not available',
  ],
  ['def partnet_1(a, b):\n    x = [1,\n         2', "line 2: SyntaxError: '[' was never closed"],
  ['import os\ndef partnet_1(a, b):\n    pass', 'line 1: ModuleNotFoundError: the module "os" is not available here'],
  ['def partnet_1(a, b):\n    x = 3j', 'line 2: complex numbers are not supported'],
])('%s says what is wrong, and where', (source, problem) => {
  expect(buildFrom(`\`\`\`python\n${source}\n\`\`\``, shelf)).toMatchObject({ kind: 'error', problem })
})
