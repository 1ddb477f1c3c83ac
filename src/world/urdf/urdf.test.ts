import { describe, expect, it } from 'vitest'
import { jointStates, linkFrames, meshPath, originOf, readUrdf, readXml, rpyOf, frameOf, writeUrdf } from './index.ts'

const CABINET = `<?xml version="1.0"?>
<!-- a cabinet -->
<robot name="cabinet">
  <material name="oak"><color rgba="0.8 0.6 0.4 1"/></material>
  <link name="base"/>
  <link name="body">
    <inertial><mass value="3"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual name="v"><origin xyz="0 0 .5"/><geometry><box size="1 1 1"/></geometry><material name="oak"/></visual>
    <collision><geometry><mesh filename="meshes/a.obj" scale="1 -1 2"/></geometry></collision>
  </link>
  <link name="door"><visual><geometry><cylinder radius=".1" length="2"/></geometry></visual></link>
  <link name="knob"><visual><geometry><sphere radius='.02'/></geometry></visual></link>
  <joint name="root" type="fixed"><parent link="base"/><child link="body"/><origin rpy="1.5707963267948966 0 1.5707963267948966"/></joint>
  <joint name="hinge" type="revolute"><parent link="body"/><child link="door"/><origin xyz="0.5 0 0.5"/><axis xyz="0 2 0"/><limit lower="0" upper="1.57" effort="5" velocity="5"/></joint>
  <joint name="turn" type="continuous"><parent link="door"/><child link="knob"/><origin xyz="0 0.1 0"/><mimic joint="hinge" multiplier="2" offset="0.1"/><dynamics damping="0.2"/></joint>
</robot>`

describe('URDF', () => {
  it('round-trips without loss', () => {
    const { robot, warnings } = readUrdf(CABINET)
    expect(warnings).toEqual(['the axis of joint "hinge" was not of length 1'])
    expect(robot.links[1]!.visuals[0]!.material).toEqual({ name: 'oak', rgba: [0.8, 0.6, 0.4, 1] })
    const again = readUrdf(writeUrdf(robot))
    expect(again).toEqual({ robot, warnings: [] })
    expect(writeUrdf(again.robot)).toBe(writeUrdf(robot))
  })

  it('moves links along the chain, including mimic joints', () => {
    const { robot } = readUrdf(CABINET)
    // The root turns mesh x to world y, mesh y to world z and mesh z to world x.
    const hinge = jointStates(robot).find(({ name }) => name === 'hinge')!
    expect(hinge.origin.map((value) => Math.round(value * 1e9) / 1e9)).toEqual([0.5, 0.5, 0])
    expect(hinge.axis.map((value) => Math.round(value * 1e9) / 1e9 + 0)).toEqual([0, 0, 1])
    const frames = linkFrames(robot, { hinge: Math.PI / 2 })
    const [x, y, z] = originOf(frames.get('knob')!)
    expect([x, y, z].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([0.5, 0.5, 0.1])
    const still = linkFrames(robot, { turn: 1 }).get('knob')!
    expect(still).toEqual(linkFrames(robot).get('knob'))
  })

  it('recovers the angles of a rotation', () => {
    for (const rpy of [
      [0.3, -0.4, 2],
      [Math.PI / 2, 0, Math.PI / 2],
      [-1, Math.PI / 2, 0],
    ] as const) {
      const again = frameOf([1, 2, 3], rpyOf(frameOf([0, 0, 0], rpy)))
      frameOf([1, 2, 3], rpy).forEach((value, i) => expect(again[i]).toBeCloseTo(value, 12))
    }
  })

  const link = (name: string): string => `<link name="${name}"/>`
  const joint = (name: string, parent: string, child: string, rest = ''): string =>
    `<joint name="${name}" type="fixed"><parent link="${parent}"/><child link="${child}"/>${rest}</joint>`
  it.each([
    ['no link', '<robot name="r"/>', 'there is no link'],
    ['twice the same link', `<robot>${link('a')}${link('a')}</robot>`, 'two links are called "a"'],
    ['two roots', `<robot>${link('a')}${link('b')}</robot>`, '2 links have no parent ("a", "b")'],
    ['a circle', `<robot>${link('a')}${link('b')}${joint('x', 'a', 'b')}${joint('y', 'b', 'a')}</robot>`, 'circle'],
    ['a link that is not there', `<robot>${link('a')}${joint('x', 'a', 'b')}</robot>`, 'joint "x" names the link "b"'],
    [
      'a revolute joint without limit',
      `<robot>${link('a')}${link('b')}<joint name="h" type="revolute"><parent link="a"/><child link="b"/></joint></robot>`,
      'line 1: joint "h" is revolute and has no <limit>',
    ],
    [
      'an axis of no length',
      `<robot>${link('a')}${link('b')}\n<joint name="h" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 0"/></joint></robot>`,
      'line 2: the axis of joint "h" has no length',
    ],
    [
      'numbers that are none',
      `<robot>${link('a')}${link('b')}${joint('x', 'a', 'b', '<origin xyz="0 nan 0"/>')}</robot>`,
      'xyz="0 nan 0" of origin of joint "x" is not 3 finite numbers',
    ],
    ['an unknown type', `<robot>${link('a')}<joint name="h" type="screw"/></robot>`, 'joint "h" has type "screw"'],
    ['another root element', '<sdf/>', 'must begin with <robot>, not <sdf>'],
  ])('names what is wrong: %s', (_, text, message) => {
    expect(() => readUrdf(text)).toThrow(message)
  })

  it.each([
    ['an empty geometry', '<visual><geometry/></visual>', 'the visual of link "a" has no shape and is left out'],
    [
      'a ball of nothing',
      '<visual><geometry><sphere radius="0"/></geometry></visual>',
      'the visual of link "a" has no size and is left out',
    ],
    ['no geometry', '<collision/>', 'the collision of link "a" has no shape and is left out'],
    ['a shape of another kind', '<visual><geometry><plane/></geometry></visual>', '<plane> in the geometry'],
    [
      'two inertials',
      '<inertial><mass value="1"/></inertial><inertial/>',
      'link "a" has more than one <inertial>; the first is used',
    ],
  ])('reads on with a warning: %s', (_, inside, warning) => {
    const { robot, warnings } = readUrdf(`<robot><link name="a">${inside}</link></robot>`)
    expect(warnings).toEqual([expect.stringContaining(warning)])
    expect(robot.links[0]!.visuals).toEqual([])
    if (inside.includes('inertial')) expect(robot.links[0]!.inertial!.mass).toBe(1)
  })

  it('reads numbers with commas between them, and brings those that nothing could show within reach', () => {
    const slide = '<joint name="s" type="prismatic"><parent link="a"/><child link="b"/>'
    const { robot, warnings } = readUrdf(
      `<robot>${link('a')}${link('b')}${slide}<origin xyz="1, 2,3"/><limit lower="0" upper="1e300"/></joint></robot>`,
    )
    expect(robot.joints[0]!.origin.xyz).toEqual([1, 2, 3])
    expect(robot.joints[0]!.limit).toEqual({ lower: 0, upper: 1e6 })
    expect(warnings).toEqual([expect.stringContaining('taken as 1000000'), expect.stringContaining('commas')])
  })

  it.each([
    ['a document type', '<!DOCTYPE robot [<!ENTITY a "aaaa">]><robot name="&a;"/>', 'document type'],
    ['an entity', '<robot name="&xxe;"/>', 'the entity &xxe;'],
    ['a stylesheet', '<?xml-stylesheet href="x"?><robot/>'.replace('<?xml-', '<?evil-'), 'processing instruction'],
    ['deep nesting', '<a>'.repeat(100_000), 'nested deeper'],
    ['no end', '<robot><link name="a"', 'the end inside of <link>'],
    ['the wrong end', '<robot><link></robot>', '</robot> where </link> was expected'],
    ['two roots', '<robot/><robot/>', 'a second root element'],
    ['nine million characters', `<robot name="${'a'.repeat(9_000_000)}"/>`, 'characters'],
    [
      'a line without end',
      `<robot>${'<link name="a"/>'.repeat(200_001)}</robot>`,
      'line 1: found more than 200000 elements',
    ],
    ['the same attribute twice', '<robot name="a" name="b"/>', 'twice'],
    ['text only', 'hello', 'text outside'],
  ])('refuses hostile XML: %s', (_, text, message) => {
    expect(() => readXml(text)).toThrow(message)
  })

  it.each([
    '../secret.obj',
    '/etc/passwd',
    'file:///etc/passwd',
    'http://x/y.obj',
    'a/../../b.obj',
    'package://p/../../x',
  ])('does not leave the folder: %s', (name) => {
    expect(() => meshPath(name, '/data/robot')).toThrow(/outside of the folder|is not a file/)
  })

  it('finds meshes in the folder', () => {
    expect(meshPath('textured_objs/a.obj', '/data/r')).toBe('/data/r/textured_objs/a.obj')
    expect(meshPath('package://any/m/a.obj', '/data/r')).toBe('/data/r/m/a.obj')
  })
})
