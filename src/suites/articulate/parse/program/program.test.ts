import { describe, expect, it } from 'vitest'
import { boxPart } from '../../../../../test/support/suites/articulate/boxes.ts'
import { shelfOf } from '../../domain/assembly/parts.ts'
import { ProgramError, runProgram } from './index.ts'

const shelf = shelfOf([
  boxPart('body', [1, 1, 1]),
  boxPart('door', [0.1, 0.5, 0.8]),
  boxPart('door_2', [0.1, 0.5, 0.8]),
  boxPart('knob', [0.05, 0.05, 0.05]),
])
const run = (source: string, profile: 'fixed' | 'upstream' = 'fixed'): ReturnType<typeof runProgram> =>
  runProgram(source, { profile, shelf })
const body = (lines: string): string => `
from articulate_anything.api.odio_urdf import *
def partnet_1(input_dir, links) -> Robot:
    """Builds it."""
    pred_robot = Robot(input_dir=input_dir, name="partnet_1")
    pred_robot.add_link(links["base"])
    pred_robot.add_link(links["body"])
    pred_robot.add_joint(Joint("base_to_body", Parent("base"), Child("body"), type="fixed"))
${lines
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
    return pred_robot
`

describe('candidate functions', () => {
  it('place parts and attach them to hinges', () => {
    const robot = run(
      body(`
for i, name in enumerate(["door", "door_2"]):
    pred_robot.add_link(links[name])
    pred_robot.place_relative_to(name, "body", placement="front")
    pred_robot.place_relative_to(name, 'body', placement="left_inside" if i == 0 else "right_inside", clearance=0.0)
# ====================JOINT PREDICTION====================
box = pred_robot.get_bounding_boxes(["door"], include_dim=True)
(low, high), dims = box["door"]
vertices = compute_aabb_vertices(box["door"][0])
pred_robot.make_revolute_joint("door", "body", global_axis=[0, 0, -1], lower_angle_deg=0, upper_angle_deg=90, pivot_point=vertices[0])
pred_robot.make_prismatic_joint(f"door_{1 + 1}", "body", [0, 0, 0], [dims["width"] / 2, 0, 0])
pred_robot.add_link(links["knob"])
pred_robot.place_relative_to("knob", "door", "front")
`),
    ).robot()
    expect(robot.joints.map(({ name, type }) => [name, type])).toEqual([
      ['base_to_body', 'fixed'],
      ['body_to_door', 'revolute'],
      ['body_to_door_2', 'prismatic'],
      ['door_to_knob', 'fixed'],
    ])
    const [, hinge, slide, knob] = robot.joints
    expect(hinge!.origin.xyz).toEqual([0.5, -0.5, -0.4])
    expect(hinge!.limit!.upper).toBeCloseTo(Math.PI / 2)
    expect(slide!.axis).toEqual([1, 0, 0])
    expect(slide!.limit!.upper).toBeCloseTo(0.25)
    // Relative to the hinge, which is the door's frame now.
    expect(knob!.origin.xyz.map((value) => Math.round(value * 1e6) / 1e6)).toEqual([0.125, 0.25, 0.4])
  })

  it('take calls, lists and dictionaries over several lines', () => {
    const lines = `pred_robot.add_link(
    links["door"]
)
sides = [
    "front",  # the door closes the front
]
pred_robot.place_relative_to(
    "door",
    "body",
    placement=sides[0],
)
pred_robot.make_revolute_joint("door", "body", global_axis=[
    0,
    0,
    1,
])`
    expect(run(body(lines)).joints.find(({ child }) => child === 'door')!.type).toBe('revolute')
  })

  it('place idempotently', () => {
    const once = run(body('pred_robot.add_link(links["door"])\npred_robot.place_relative_to("door", "body", "above")'))
    const twice = run(
      body(
        'pred_robot.add_link(links["door"])\nfor i in range(2): pred_robot.place_relative_to("door", "body", "above")',
      ),
    )
    expect(twice.robot()).toEqual(once.robot())
    expect(once.boxes(['door']).get('door')!.min[2]).toBeCloseTo(0.5)
  })

  it('support comprehensions, slices, lambdas, dictionaries, arrays and local functions', () => {
    const robot = run(
      `
import math
import numpy as np
import numpy.linalg
import numpy.linalg as la
from numpy.linalg import norm
SIDES = {"door": 1, "door_2": -1}
def half(x, by=2):
    return x / by
def partnet_7(input_dir, links):
    r = Robot(name="r")
    names = [n for n in links.keys() if n != "base" and not n.startswith("knob")]
    order = sorted(names, key=lambda n: (len(n)))[::-1]
    assert order[0] == "door_2", "order"
    r.add_link(links["base"]); r.add_link(links["body"])
    r.make_fixed_joint("body", "base")
    total = 0
    while total < 3:
        total += 1
        if total == 2: continue
    assert math.hypot(3, 4) == np.linalg.norm([3, 4]) == norm([3, 4]) == la.norm([3, 4]) == 5
    assert numpy.linalg.norm([0, 2]) == 2 and np.arccos(1) == np.arcsin(0) == np.arctan(0) == 0
    assert math.atan2(0, 1) == np.dot([1, 0], [0, 1])
    shift = np.cross([1, 0, 0], [0, 1, 0]) * half(1.0) + np.array([1, 0, 0]) + np.zeros(3)
    r.add_link(links["door"])
    r.place_relative_to("door", "body", "inside")
    r.make_continuous_joint("door", "body", [0, 0, 1], pivot_point=shift)
    x, *rest = [1], 2
    return r
`,
    )
    expect(robot.joints.find(({ child }) => child === 'door')).toMatchObject({ type: 'continuous', xyz: [1, 0, 0.5] })
  })

  it.each([
    ['loops for ever', body('while True:\n    pass'), /did not end within/],
    [
      'loops for ever in calls',
      'def f(x):\n    return f(x)\ndef partnet_1(a, b):\n    return f(1)',
      /maximum recursion depth exceeded/,
    ],
    ['doubles a list', body('x = [0]\nwhile True:\n    x = x + x'), /too long/],
    ['doubles a text', body('x = "aaaaaaaa"\nfor i in range(1000):\n    x = x * 10'), /too long/],
    ['fills memory slowly', body('x = []\nwhile True:\n    x.append([0] * 9000)'), /out of memory|did not end/],
    [
      'compares lists of lists',
      body('x = [0]\ny = [0]\nfor i in range(40):\n    x = [x, x]\n    y = [y, y]\nz = x == y'),
      /did not end/,
    ],
    [
      'nests tuples in a key',
      body('x = (0,)\nfor i in range(40):\n    x = (x, x)\nd = {x: 1}'),
      /too long|did not end|out of memory|nested too deep/,
    ],
    ['prints a list of lists', body('x = [0] * 9999\ny = str([x] * 9999)'), /too long|out of memory/],
    ['looks for the least for ever', body('x = list(range(9999))\nwhile True:\n    y = min(x)'), /did not end/],
    ['formats without end', body('x = ("{0}" * 6000).format("b" * 19000)'), /too long/],
    ['a huge range', body('for i in range(10 ** 9):\n    pass'), /did not end/],
    ['makes zeros without end', `import numpy as np\n${body('x = np.zeros(10 ** 9)')}`, /too long/],
    [
      'measures without end',
      `import numpy as np\n${body('x = list(range(9999))\nwhile True:\n    y = np.linalg.norm(x)')}`,
      /did not end/,
    ],
    ['imports os', 'import os\nos.system("touch /tmp/x")', /the module "os" is not available/],
    ['imports from os', 'from os import system\nsystem("ls")', /the module "os" is not available/],
    ['opens a file', body('open("/etc/passwd").read()'), /open\(\) is not supported: files are not available/],
    ['evaluates', body('eval("1")'), /eval\(\) is not supported/],
    ['climbs to the host', body('x = "".__class__.__mro__'), /type object 'str' has no attribute '__mro__'/],
    ['asks for the constructor', body('x = [].constructor'), /'list' object has no attribute 'constructor'/],
    ['asks for a prototype', body('x = links["__proto__"]'), /KeyError: '__proto__'/],
    ['is 10,000 lines long', `def partnet_1(a, b):\n${'    x = 1\n'.repeat(10_000)}`, /10002 lines; at most/],
    ['nests brackets', `x = ${'('.repeat(5000)}1${')'.repeat(5000)}`, /nested too deep/],
    ['nests minus signs', `x = ${'-'.repeat(5000)}1`, /nested too deep/],
    ['chains sums', `x = ${'1+'.repeat(14_000)}1\ndef partnet_1(a, b):\n    return x`, /nested too deep|must return/],
    ['returns nothing', body('pass').replace('return pred_robot', 'pred_robot'), /must return the robot/],
    ['has no function', 'x = 1', /there is no function partnet_/],
    ['misspells a part', body('pred_robot.add_link(links["dor"])'), /line 9: KeyError: 'dor' \(parts: base, body, /],
    [
      'misspells a placement',
      body('pred_robot.add_link(links["door"])\npred_robot.place_relative_to("door", "body", placement="on")'),
      /line 10: ValueError: Unknown placement 'on'/,
    ],
    ['leaves a part in the air', body('pred_robot.add_link(links["door"])'), /'door' is not joined to anything/],
    [
      'gives no axis',
      body('pred_robot.add_link(links["door"])\npred_robot.make_revolute_joint("door", "body", [0, 0, 0])'),
      /has no length/,
    ],
    ['forgets a bracket', 'def partnet_1(a, b:\n    return 1', /'\(' was never closed/],
    ['divides by zero', body('x = 1 / 0'), /line 9: ZeroDivisionError: division by zero/],
    [
      'asks for boxes without end',
      body(
        'pred_robot.add_link(links["door"])\nwhile True:\n    pred_robot.place_relative_to("door", "body", "above")',
      ),
      /too many positions|did not end/,
    ],
  ])('are refused with line and reason when one %s', (_, source, message) => {
    expect(() => run(source)).toThrow(ProgramError)
    expect(() => run(source)).toThrow(message)
  })

  it('move the part to the origin on a second identical placement with upstream, as published', () => {
    const place = 'pred_robot.place_relative_to("door", "body", placement="front")'
    const robot = run(body(`pred_robot.add_link(links["door"])\n${place}\n${place}`), 'upstream')
    expect(robot.joints.find(({ child }) => child === 'door')!.xyz![0]).toBeCloseTo(0)
  })
})
