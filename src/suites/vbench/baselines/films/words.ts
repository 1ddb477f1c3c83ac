/** What a prompt asks for, as far as it can be shown here: a room, things, their colors, number and place, a camera move. */
import { categories, type Category, type RoomKind } from '../../../../world.ts'

export type Rgb = readonly [number, number, number]

/** The colors that the public prompts name. */
export const COLORS = {
  red: [186, 22, 24],
  orange: [232, 112, 10],
  yellow: [238, 196, 20],
  green: [28, 128, 42],
  blue: [22, 62, 176],
  purple: [106, 32, 146],
  pink: [240, 120, 168],
  white: [240, 240, 240],
  black: [22, 22, 24],
} as const satisfies Record<string, Rgb>
export type Color = keyof typeof COLORS

export const CAMERA_MOVES = ['pan left', 'pan right', 'tilt up', 'tilt down', 'zoom in', 'zoom out', 'shaking'] as const
/** `still`: it does not move. `arc`: a little way around what is shown, where a prompt asks for nothing. */
export type CameraMove = (typeof CAMERA_MOVES)[number] | 'still' | 'arc'

export const LOOKS = ['black and white', 'pixel art', 'watercolor painting'] as const
export type Look = (typeof LOOKS)[number]

export type Action = 'roll' | 'cross' | 'bounce' | 'spin' | 'fall' | 'rise' | 'rock' | 'approach'

export const RELATIONS = ['on the left of', 'on the right of', 'on the top of', 'on the bottom of'] as const
export type Relation = (typeof RELATIONS)[number]

export interface Thing {
  /** As the prompt calls it. */
  name: string
  category: Category
  color: Color | null
  count: number
}

export interface Request {
  room: RoomKind | null
  /** In the order in which they are named. */
  things: readonly Thing[]
  relation: Relation | null
  action: Action | null
  camera: CameraMove | null
  /** Nothing is to move. */
  still: boolean
  slow: boolean
  look: Look | null
}

/** Other names of things: those of the public prompts, and everyday ones. */
const OTHER_NAMES: Readonly<Record<string, Category>> = {
  'potted plant': 'plant',
  couch: 'sofa',
  tv: 'television',
  'dining table': 'table',
  bike: 'bicycle',
  'sports ball': 'ball',
  book: 'books',
  remote: 'remote control',
  'cell phone': 'smartphone',
  phone: 'telephone',
  fridge: 'refrigerator',
  'wine glass': 'drinking glass',
  mug: 'cup',
  car: 'toy car',
  bag: 'handbag',
  ironing: 'ironing board',
}

const ROOM_NAMES: Readonly<Record<string, RoomKind>> = {
  bedroom: 'bedroom',
  'living room': 'living room',
  lounge: 'living room',
  kitchen: 'kitchen',
  bathroom: 'bathroom',
  office: 'office',
  study: 'office',
  classroom: 'class room',
  'class room': 'class room',
  school: 'class room',
  workshop: 'workshop',
  garage: 'workshop',
  corridor: 'corridor',
  hallway: 'corridor',
}

const ACTIONS: readonly (readonly [Action, RegExp])[] = [
  ['roll', /\broll(s|ing)?\b/],
  ['bounce', /\b(bounc(e|es|ing)|hop(s|ping)?|jump(s|ing)?)\b/],
  ['spin', /\b(spin(s|ning)?|turn(s|ing)?|rotat(e|es|ing)|whirl(s|ing)?)\b/],
  ['fall', /\b(fall(s|ing)?|drop(s|ping)?)\b/],
  ['rise', /\b(ris(e|es|ing)|float(s|ing)?|drift(s|ing)?|climb(s|ing)?|fly(ing)?|flies|lift(s|ing)?)\b/],
  ['rock', /\b(rock(s|ing)?|sway(s|ing)?|swing(s|ing)?|wobbl(e|es|ing)|shiver(s|ing)?)\b/],
  ['approach', /\b(approach(es|ing)?|com(e|es|ing))\b|toward/],
  ['cross', /\b(cross(es|ing)?|driv(e|es|ing)|slid(e|es|ing)|glid(e|es|ing)|mov(e|es|ing)|run(s|ning)?|ride|riding)\b/],
]

const STILL = /\b(still|frozen|static|nothing moves|motionless|tableau)\b/
const NUMBERS = ['', 'one', 'two', 'three', 'four', 'five']
const TABLES: ReadonlySet<Category> = new Set(['table', 'round table', 'coffee table', 'side table', 'desk'])

const NAMES: readonly (readonly [string, Category])[] = [
  ...categories.map((name) => [name, name] as const),
  ...Object.entries(OTHER_NAMES),
].sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1))

/** "two red toy cars": a number, a color and a name, longer names first. */
const THING = new RegExp(
  `\\b(?:(${NUMBERS.slice(1).join('|')})\\s+)?(?:(${Object.keys(COLORS).join('|')})\\s+)?` +
    `(${NAMES.map(([name]) => name).join('|')})(?:e?s)?\\b`,
  'g',
)
const CATEGORY_OF: ReadonlyMap<string, Category> = new Map(NAMES)

/**
 * @example
 * hear('two red toy cars crossing the kitchen floor, zoom in').things[0] // { category: 'toy car', color: 'red', count: 2, … }
 */
export function hear(prompt: string): Request {
  const text = prompt.toLowerCase().replaceAll(/\s+/g, ' ')
  const found: (Thing & { stands: boolean })[] = []
  // Names are taken out: the office of an office chair is not a room.
  const rest = text.replaceAll(THING, (_, number: string, color: Color, name: string, at: number) => {
    const before = text.slice(0, at)
    found.push({
      name,
      category: CATEGORY_OF.get(name)!,
      color: color ?? null,
      count: Math.max(1, NUMBERS.indexOf(number ?? 'one')),
      stands: !/\b(on|over|across|along|crossing|at|around) (a|the)( \w+)? ?$/.test(before),
    })
    return ' '
  })
  const relation = RELATIONS.find((words) => text.includes(words)) ?? null
  // "on a kitchen table" says where, not what.
  const isSupport = ({ category, stands }: (typeof found)[number]) =>
    relation === null && found.length > 1 && !stands && TABLES.has(category)
  const camera = CAMERA_MOVES.find((move) => text.includes(move)) ?? null
  // "a still camera" and "spinning" are not both heard in "pan left": the move is taken out first.
  const acted = camera === null ? rest : rest.replace(camera, '')
  return {
    room: Object.entries(ROOM_NAMES).find(([name]) => new RegExp(`\\b${name}\\b`).test(rest))?.[1] ?? null,
    things: found
      .filter((thing) => !isSupport(thing))
      .map(({ name, category, color, count }) => ({ name, category, color, count })),
    relation,
    action: ACTIONS.find(([, words]) => words.test(acted))?.[0] ?? null,
    camera,
    still: camera === null && STILL.test(text),
    slow: text.includes('slow motion'),
    look: LOOKS.find((words) => text.includes(words)) ?? null,
  }
}
