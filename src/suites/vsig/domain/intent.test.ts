import { describe, expect, it } from 'vitest'
import { intentSimilarity, type NamedSlot } from './intent.ts'
import { canonicalCommand, type Template } from './templates.ts'

const object = (name: string): NamedSlot => ({ name, kind: 'object' })
const area = (name: string, ...also: string[]): NamedSlot => ({ name, also, kind: 'area' })

const RING = [object('red ring')]
const PUT = [object('red ring'), area('left side of the kettle')]
const PLACE = [area('left side of the kettle')]
const HERE = [object('cup'), area('free area beside the plate', 'free area beside the blue block')]
const TWICE = [
  object('cup'),
  area('right side of the white multimeter'),
  object('yellow case'),
  area('back side of the bottle'),
]
const HUAN = [object('红色空心圆环')]
const FANG = [object('红色空心圆环'), area('水壶的左边')]
const THEN = [object('杯子'), area('白色外壳的万用表的右边'), object('蓝色手柄的螺丝刀')]
const FOREIGN = [object('绿色圆形柱体'), area('银色圆形中间镂空柱体的左面')]

/** As models write them: the command, then the descriptions. */
interface Reply {
  slots: readonly NamedSlot[]
  command: string
  descriptions: readonly string[]
}

const reply = (slots: readonly NamedSlot[], command: string, ...descriptions: string[]): Reply => ({
  slots,
  command,
  descriptions,
})

// oxfmt-ignore
const HONEST: readonly (readonly [string, Reply])[] = [
  ['the names', reply(RING, 'red ring', 'red ring')],
  ['another word', reply(RING, 'Identify the red donut-shaped object.', 'A red plastic torus lying flat on the wooden table')],
  ['only the command', reply(RING, 'The person points at the red ring.', '')],
  ['where it is in the picture', reply(RING, 'red ring', 'Red ring on the left side of the table, near the blue bottle')],
  ['a landmark', reply(PUT, 'Put the red ring next to the bottle to the left of the kettle.', 'red ring', 'free spot to the left of the kettle')],
  ['long descriptions', reply(PUT, 'Place the red ring on the table directly to the left of the silver electric kettle.', 'A bright red hollow ring with a smooth surface', 'The empty area of the tabletop immediately to the left of the kettle')],
  ['terse', reply(PUT, 'red ring -> left of kettle', 'ring, red', 'left of kettle')],
  ['place without its landmark', reply(PUT, 'Put the red ring to the left of the kettle.', 'the red ring', 'the empty space')],
  ['here', reply(HERE, 'Put the mug on the empty spot near the plate.', 'white mug', 'empty spot near the plate')],
  ['here, by another landmark', reply(HERE, 'Put the cup in front of the blue cube.', 'the cup', 'free table area in front of the blue cube')],
  ['two steps', reply(TWICE, 'Move the mug to the right of the white meter, then put the yellow box behind the bottle.', 'mug', 'right of the multimeter', 'yellow box', 'area behind the bottle')],
  ['with colors', reply(TWICE, 'Put the white cup to the right of the white multimeter with the black dial, then put the yellow case behind the green bottle.', 'white cup', 'space right of the multimeter', 'yellow case with a gray clasp', 'space behind the bottle')],
  ['Chinese', reply(HUAN, '红色圆环', '一个红色的空心圆环，放在桌面左侧')],
  ['Chinese, with a landmark', reply(HUAN, '拿起水壶旁边的红色圆环', '水壶旁边的红色圆环')],
  ['Chinese, another word', reply(FANG, '把红色的环放到烧水壶左侧', '红色环形物体', '水壶左侧的空位')],
  ['Chinese, in the picture', reply(FANG, '请把桌面右侧的红色圆环放在水壶的左边', '桌面右侧的红色圆环', '水壶左边的空闲区域')],
  ['Chinese, three targets', reply(THEN, '把白色马克杯放到白色万用表的右侧，然后拿起蓝色螺丝刀', '白色马克杯', '万用表右侧的位置', '蓝色螺丝刀')],
  ['names of the published data', reply(FOREIGN, '把绿色圆形柱体放到银色圆形中间镂空柱体的左侧', '绿色圆柱体', '银色圆形中间镂空柱体左侧的区域')],
]

const TABLE_EN =
  'red ring, blue block, green bottle, white multimeter, yellow case, kettle, cup, plate, orange cylinder'
const TABLE_ZH = '红色圆环、蓝色方块、绿色瓶子、白色万用表、黄色盒子、水壶、杯子、盘子、橙色圆柱体'

/** Replies that say everything, or something else. */
// oxfmt-ignore
const STUFFED: readonly (readonly [string, Reply])[] = [
  ['all things', reply(RING, `Pick up the ${TABLE_EN}.`, '')],
  ['all things in every description', reply(PUT, `Put ${TABLE_EN} left of ${TABLE_EN}`, TABLE_EN, `left of ${TABLE_EN}`)],
  ['all directions', reply(PLACE, 'Put the red ring to the left, right, front and back of the kettle', 'left, right, in front of and behind the kettle')],
  ['all landmarks', reply(PLACE, 'Put it left of it', 'left of the cup, left of the plate, left of the bottle, left of the block, left of the kettle, left of the case, left of the multimeter')],
  ['all, as landmarks', reply(RING, 'The thing near the red ring, near the cup, near the bottle, near the block, near the kettle', 'the thing near the red ring')],
  ['all in Chinese', reply(HUAN, `把${TABLE_ZH}拿起来`, TABLE_ZH)],
  ['all things and directions in Chinese', reply(FANG, `把${TABLE_ZH}放到${TABLE_ZH}的左边右边前面后面`, TABLE_ZH, `${TABLE_ZH}的左边、右边、前面、后面`)],
  ['one here, another there', reply(RING, 'Pick up the blue bottle', 'red ring')],
  ['the wrong side', reply(PUT, 'Put the red ring to the right of the kettle', 'blue ring', 'right of the kettle')],
  ['only what was said', reply(PUT, 'Put this to the left of it', 'this', 'to its left')],
  ['every color', reply(RING, 'red blue green yellow white black orange ring', 'red, blue, green, yellow, white, black or orange ring')],
]

describe('intent by text match', () => {
  it.each(HONEST)('takes an honest answer: %s', (_, { slots, command, descriptions }) => {
    expect(intentSimilarity(slots, descriptions, command)).toBeGreaterThanOrEqual(0.75)
  })

  it.each(STUFFED)('gives little for: %s', (_, { slots, command, descriptions }) => {
    expect(intentSimilarity(slots, descriptions, command)).toBeLessThanOrEqual(0.55)
  })

  it.each<[Template, readonly NamedSlot[]]>([
    ['指令1', RING],
    ['指令3', HERE],
    ['指令4', PUT],
    ['指令6', TWICE],
    ['指令5', THEN],
    ['指令4', FOREIGN],
  ])('gives all for the names themselves: %s', (template, slots) => {
    const names = slots.map(({ name }) => name)
    expect(intentSimilarity(slots, names, canonicalCommand(template, names))).toBe(1)
  })

  it('counts which thing is meant where', () => {
    const swapped = intentSimilarity(TWICE, ['yellow case', 'behind the bottle', 'cup', 'right of the multimeter'], '')
    expect(swapped).toBeLessThan(0.1)
  })

  it('handles very long texts quickly', () => {
    const flood = '左'.repeat(200_000)
    expect(intentSimilarity([object('杯子')], [flood], flood)).toBe(0)
    expect(intentSimilarity([], [], '')).toBeNull()
  })
})
