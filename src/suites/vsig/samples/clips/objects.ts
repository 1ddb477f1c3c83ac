/** Objects on the table: everyday objects from the catalog, and workshop parts in plain colors. */
import type { Random } from '../../../../suite.ts'
import { buildObject, type ObjectMesh, type Occluder, plastic, rubber, Sculpture, steel } from '../../../../world.ts'

type Rgb = readonly [number, number, number]

export interface BilingualName {
  zh: string
  en: string
}

/** A kind of object. Look-alikes on a table are of the same kind, with the same name. */
export interface ObjectKind extends BilingualName {
  key: string
  build: (random: Random) => ObjectModel
}

export interface ObjectModel {
  mesh: ObjectMesh
  occluders: readonly Occluder[]
  /** Along x, y and z, in meters. */
  size: readonly [number, number, number]
}

const COLORS: Readonly<Record<string, BilingualName & { rgb: Rgb }>> = {
  red: { zh: '红色', en: 'red', rgb: [196, 52, 46] },
  blue: { zh: '蓝色', en: 'blue', rgb: [48, 96, 178] },
  green: { zh: '绿色', en: 'green', rgb: [66, 142, 82] },
  yellow: { zh: '黄色', en: 'yellow', rgb: [232, 188, 60] },
  white: { zh: '白色', en: 'white', rgb: [236, 236, 232] },
  black: { zh: '黑色', en: 'black', rgb: [44, 45, 50] },
  orange: { zh: '橙色', en: 'orange', rgb: [230, 122, 44] },
}

function sculpt(draw: (sculpture: Sculpture) => void, size: ObjectModel['size']): ObjectModel {
  const sculpture = new Sculpture()
  draw(sculpture)
  return { mesh: sculpture.mesh([0, 0, 0]), occluders: sculpture.occluders, size }
}

/** Lathe profile of a ring with flat sides. */
function ringProfile(inner: number, outer: number, height: number): [number, number][] {
  return [
    [inner, 0],
    [outer, 0],
    [outer, height],
    [inner, height],
    [inner, 0],
  ]
}

/** Workshop parts: a shape in one color. */
const SHAPES: readonly (BilingualName & {
  key: string
  draw: (s: Sculpture, color: Rgb) => void
  size: ObjectModel['size']
})[] = [
  {
    key: 'cylinder',
    zh: '圆柱体',
    en: 'cylinder',
    size: [0.07, 0.07, 0.1],
    draw: (s, color) => s.cylinder(plastic(color), 0.035, 0.1, [0, 0, 0], 28),
  },
  {
    key: 'block',
    zh: '方块',
    en: 'block',
    size: [0.08, 0.08, 0.08],
    draw: (s, color) => s.box(plastic(color), [0.08, 0.08, 0.08], [0, 0, 0.04], 0.005),
  },
  {
    key: 'ring',
    zh: '空心圆环',
    en: 'ring',
    size: [0.1, 0.1, 0.045],
    draw: (s, color) => s.lathe(plastic(color), ringProfile(0.026, 0.05, 0.045), [0, 0, 0], 32),
  },
  {
    key: 'screwdriver',
    zh: '手柄的螺丝刀',
    en: 'screwdriver',
    size: [0.24, 0.034, 0.034],
    draw: (s, color) => {
      const axis = 0.017
      s.rod(plastic(color), [-0.12, 0, axis], [-0.02, 0, axis], (t) => 0.013 + 0.004 * Math.min(1, 4 * t * (1 - t)), 16)
      s.rod(steel(), [-0.02, 0, axis], [0.12, 0, axis], 0.0045, 10)
    },
  },
  {
    key: 'meter',
    zh: '外壳的万用表',
    en: 'multimeter',
    size: [0.15, 0.085, 0.045],
    draw: (s, color) => {
      s.box(plastic(color), [0.15, 0.085, 0.04], [0, 0, 0.02], 0.012)
      s.box(plastic([44, 46, 50]), [0.118, 0.068, 0.006], [0, 0, 0.04], 0.003)
      s.box(plastic([164, 178, 160]), [0.034, 0.05, 0.004], [0.036, 0, 0.044], 0.001)
      s.cylinder(rubber(), 0.017, 0.01, [-0.022, 0, 0.042], 20)
    },
  },
  {
    key: 'tape',
    zh: '胶带卷',
    en: 'roll of tape',
    size: [0.11, 0.11, 0.028],
    draw: (s, color) => s.lathe(plastic(color), ringProfile(0.036, 0.055, 0.028), [0, 0, 0], 36),
  },
  {
    key: 'case',
    zh: '长方体盒子',
    en: 'case',
    size: [0.1, 0.17, 0.055],
    draw: (s, color) => {
      s.box(plastic(color), [0.1, 0.17, 0.05], [0, 0, 0.025], 0.008)
      s.box(plastic([70, 72, 78]), [0.012, 0.04, 0.012], [0.05, 0, 0.03], 0.003)
    },
  },
]

/** Objects of the catalog that are small enough for a table. */
const EVERYDAY: Readonly<Record<string, BilingualName>> = {
  cup: { zh: '杯子', en: 'cup' },
  bottle: { zh: '瓶子', en: 'bottle' },
  mouse: { zh: '鼠标', en: 'computer mouse' },
  plate: { zh: '盘子', en: 'plate' },
  'fruit bowl': { zh: '水果盘', en: 'fruit bowl' },
  telephone: { zh: '电话机', en: 'telephone' }, // language: quoted
  kettle: { zh: '水壶', en: 'kettle' },
  'paint can': { zh: '油漆桶', en: 'paint can' },
  books: { zh: '一摞书', en: 'stack of books' },
  pot: { zh: '锅', en: 'cooking pot' },
}

/** All names that an object on the table can have, for guesses without looking. */
export function objectNames(): BilingualName[] {
  const parts = SHAPES.flatMap((shape) => Object.values(COLORS).map((color) => named(shape, color)))
  return [...parts, ...Object.values(EVERYDAY)]
}

function named(shape: BilingualName, color: BilingualName): BilingualName {
  return { zh: `${color.zh}${shape.zh}`, en: `${color.en} ${shape.en}` }
}

/**
 * Picks objects for a table.
 *
 * @param lookAlikes how many are exactly like another one, so that no description tells them apart
 */
export function pickObjects(random: Random, count: number, lookAlikes: number): ObjectKind[] {
  const workshop = SHAPES.map((shape): ObjectKind => {
    const color = COLORS[random.pick(Object.keys(COLORS))]!
    return {
      key: `${shape.key}/${color.en}`,
      ...named(shape, color),
      build: () => sculpt((sculpture) => shape.draw(sculpture, color.rgb), shape.size),
    }
  })
  const everyday = Object.entries(EVERYDAY).map(([category, names]): ObjectKind => {
    const own = random.fork(category)
    return {
      key: category,
      ...names,
      build: () => {
        const { mesh, occluders, size } = buildObject(category, own.fork('look'))
        return { mesh, occluders, size }
      },
    }
  })
  const kinds = count - lookAlikes
  const parts = Math.ceil(kinds * 0.6)
  const picked = [...random.sample(workshop, parts), ...random.sample(everyday, kinds - parts)]
  return random.shuffle([...picked, ...random.sample(picked, lookAlikes)])
}
