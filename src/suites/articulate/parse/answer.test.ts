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
