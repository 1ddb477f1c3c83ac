/** What belongs into which room, and where. Each recipe tries its list; what does not fit is left out. */
import type { Category } from '../objects/catalogue.ts'
import { turnOf } from '../trig.ts'
import { FACING, type Placed, type RoomPlanner, SIDES } from './planner.ts'
import { type RoomKind, type Side, toMillimetres } from './scene.ts'
import { type Look, drawSize } from './variation.ts'

type Recipe = (plan: RoomPlanner) => void

const DECOR: readonly Category[] = ['vase', 'books', 'candle', 'globe', 'radio', 'row of books', 'clock']

/** Curtains or radiators at the windows, and lamps on the ceiling. */
function fittings(plan: RoomPlanner, { curtains, panels = false }: { curtains: number; panels?: boolean }): void {
  const { random, center } = plan
  const cloth = plan.look('curtain')
  for (const window of plan.windows) {
    if (random.chance(curtains)) {
      const low = random.chance(0.6) ? 0.03 : toMillimetres(window.sill - random.range(0.05, 0.3))
      const top = Math.min(plan.height - 0.06, window.sill + window.height + random.range(0.08, 0.25))
      const wide = window.width + random.range(0.3, 0.8)
      const size: Look['size'] = [cloth.size[0], toMillimetres(wide), toMillimetres(top - low)]
      plan.hangAt('curtain', window.side, window.along, low, { ...cloth, size })
    } else if (window.sill > 0.7) plan.hangAt('radiator', window.side, window.along, 0)
  }
  const along = plan.width >= plan.depth
  const long = along ? plan.width : plan.depth
  const count = Math.max(1, Math.round(long / (panels ? 2.4 : 4)))
  const rows = panels && Math.min(plan.width, plan.depth) > 4 ? 2 : 1
  const lamp = panels ? 'light panel' : 'ceiling lamp'
  const look = plan.look(lamp)
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < rows; j++) {
      const a = (i + 0.5) / count - 0.5
      const b = (j + 0.5) / rows - 0.5
      const x = center[0] + plan.width * (along ? a : b)
      const y = center[1] + plan.depth * (along ? b : a)
      plan.ceiling(lamp, [x, y], along ? 0 : 90, look)
    }
  }
}

function pictures(plan: RoomPlanner, most: number): void {
  for (let i = plan.random.between(1, most); i > 0; i--) plan.hang('picture', { low: 1.25, high: 1.5 })
}

/** Chairs on the sides of a table, as many as fit; each faces it, and some are pushed under it. */
function chairsAround(plan: RoomPlanner, table: Placed | null, most: number): void {
  if (!table) return
  const { random } = plan
  const look = plan.look('chair')
  const mixed = random.chance(0.25)
  const [d, w] = table.model.size
  const round = table.category === 'round table'
  const perSide = round ? 1 : Math.max(1, Math.floor((w - 0.1) / (look.size[1] + 0.12)))
  let left = most
  const spots: (readonly [number, number, number])[] = []
  for (const hand of [1, -1]) {
    for (let i = 0; i < perSide; i++)
      spots.push([hand * (d / 2), (i - (perSide - 1) / 2) * (w / perSide), hand > 0 ? 180 : 0])
  }
  for (const hand of [1, -1]) spots.push([0, hand * (w / 2), hand > 0 ? 270 : 90])
  for (const [x, y, turn] of random.shuffle(spots)) {
    if (left === 0) break
    const own = mixed ? plan.look('chair') : look
    // From pushed in as far as the seat goes to pulled out by somebody who just left.
    for (const out of [random.range(-0.6, 0.6), random.range(0.05, 0.5), 0.55]) {
      const away = own.size[0] * (0.5 + out)
      const at = [x + away * Math.sign(x), turn % 180 === 0 ? y : y + away * Math.sign(y)] as const
      const skew = out > 0 ? random.range(-14, 14) : 0
      if (!plan.relative(table, at, turn + skew, 'chair', { look: own })) continue
      left--
      break
    }
  }
}

/** A desk with its chair in front and a computer or laptop on it. */
function workPlace(
  plan: RoomPlanner,
  desk: Placed | null,
  { chair = 'office chair', rich = 1 }: { chair?: Category; rich?: number } = {},
): void {
  if (!desk) return
  const { random } = plan
  const seat = plan.look(chair)
  for (const out of [random.range(-0.45, 0.4), 0.2, 0.35]) {
    const away = desk.model.size[0] / 2 + seat.size[0] * (0.5 + out)
    if (
      plan.relative(desk, [away, random.range(-0.12, 0.12)], 180 + random.range(-25, 25) * Math.max(0, out), chair, {
        look: seat,
      })
    )
      break
  }
  if (random.chance(0.6)) {
    plan.on(desk, 'monitor', { at: [0.05, random.range(0.4, 0.6)], turn: 0 })
    plan.on(desk, 'keyboard', { at: [0.95, 0.5], turn: 0 })
    plan.on(desk, 'mouse', { at: [0.9, 0.12], turn: 180 })
    if (random.chance(0.5)) plan.beside(desk, random.chance(0.5) ? 1 : -1, 'computer tower')
  } else plan.on(desk, 'laptop', { at: [0.6, 0.5] })
  const extras: readonly Category[] = [
    'desk lamp',
    'cup',
    'row of books',
    'books',
    'telephone',
    'plate',
    'bottle',
    'scanner',
  ]
  for (const category of random.sample(extras, random.between(1, 2 + rich))) {
    if (category !== 'plate') plan.on(desk, category)
  }
}

const bedroom: Recipe = (plan) => {
  const { random } = plan
  fittings(plan, { curtains: 0.8 })
  const bunk = random.chance(0.12)
  const bed = bunk
    ? plan.corner('bunk bed', { tries: 20 })
    : (plan.wall('bed', { at: 0.5, access: 0.3, tries: 6 }) ?? plan.wall('bed', { tries: 30 }))
  if (bed && !bunk) {
    const stand = plan.look('nightstand')
    for (const hand of [1, -1] as const) {
      const table = plan.beside(bed, hand, 'nightstand', { look: stand })
      plan.on(table, 'lamp')
      if (random.chance(0.5)) plan.on(table, random.pick(['books', 'cup', 'candle']))
    }
    plan.hangAbove(bed, 'picture', random.range(0.25, 0.4))
    if (random.chance(0.6)) plan.on(bed, random.pick(['teddy bear', 'pillow', 'books', 'laptop', 'handbag'] as const))
  }
  plan.wall('wardrobe', { access: 0.5, tries: 20 })
  const chest = plan.wall('chest of drawers', { access: 0.45, tries: 14 })
  if (chest) {
    plan.hangAbove(chest, random.chance(0.6) ? 'mirror' : 'picture', 0.2)
    for (const category of random.sample(DECOR, 2)) if (category !== 'clock') plan.on(chest, category)
  }
  if (random.chance(0.55)) workPlace(plan, plan.wall('desk', { tries: 16 }), { chair: 'chair', rich: 0 })
  if (random.chance(0.5)) plan.wall('armchair', { access: 0.3 })
  if (random.chance(0.25)) plan.wall('crib', { access: 0.2 })
  if (random.chance(0.5)) plan.corner('plant')
  if (random.chance(0.5)) plan.anywhere('rug', { tries: 20 })
  for (const category of random.sample(
    [
      'backpack',
      'laundry basket',
      'ottoman',
      'shoes',
      'guitar',
      'suitcase',
      'basket',
      'ball',
      'fan',
      'box',
      'vacuum cleaner',
    ] as const,
    3,
  ))
    plan.wall(category)
  pictures(plan, 2)
  if (random.chance(0.4)) plan.hang('clock', { low: 1.7, high: 1.9 })
  if (random.chance(0.25)) plan.hang('wall shelf', { low: 1.3, high: 1.5 })
}

/** The television on one wall, the sofa opposite, the coffee table on a rug between them. */
function seatingGroup(plan: RoomPlanner): void {
  const { random } = plan
  const stand = plan.wall('tv stand', { at: random.range(0.3, 0.7), access: 1.0, tries: 24 })
  if (!stand) {
    plan.wall('sofa', { access: 0.5 })
    return
  }
  for (let i = 0; i < 4 && !plan.on(stand, 'television', { at: [0.2, 0.5], turn: 0, tries: 1 }); i++);
  if (random.chance(0.5)) {
    const look = plan.look('speaker')
    for (const hand of [1, -1] as const) plan.beside(stand, hand, 'speaker', { look, gap: 0.08 })
  }
  const [c] = turnOf(stand.yaw)
  const deep = c !== 0 ? plan.width : plan.depth
  const couch = plan.look('sofa')
  const far = deep - stand.model.size[0] - 0.04
  let sofa: Placed | null = null
  // Against the opposite wall in a narrow room, free in a wide one.
  for (const reach of [Math.min(far - 0.5, random.range(2.5, 3.1)), far - 0.5, 2.3]) {
    sofa ??= plan.relative(stand, [stand.model.size[0] / 2 + reach, 0], 180, 'sofa', { look: couch })
  }
  sofa ??= plan.wall('sofa', { access: 0.5, look: couch })
  if (!sofa) return
  if (random.chance(0.4)) plan.on(sofa, random.pick(['teddy bear', 'books', 'pillow', 'handbag'] as const))
  const carpet = plan.look('rug')
  const away = (sofa.model.size[0] + carpet.size[0]) / 2 + 0.04
  const rug = random.chance(0.8) ? plan.relative(sofa, [away, 0], 0, 'rug', { look: carpet }) : null
  const table = rug
    ? plan.on(rug, 'coffee table', { at: [0.5, 0.5], turn: 0 })
    : plan.relative(sofa, [sofa.model.size[0] / 2 + 0.62, 0], 0, 'coffee table')
  for (const category of random.sample(
    ['books', 'vase', 'cup', 'fruit bowl', 'candle', 'laptop', 'bottle'] as const,
    3,
  ))
    plan.on(table, category)
  for (const hand of random.shuffle([1, -1] as const)) {
    if (random.chance(0.6)) {
      const side = plan.beside(sofa, hand, 'side table', { gap: 0.08 })
      plan.on(side, 'lamp')
    } else plan.beside(sofa, hand, random.chance(0.6) ? 'floor lamp' : 'plant', { gap: 0.1 })
    if (random.chance(0.45))
      plan.relative(sofa, [1.35, hand * (sofa.model.size[1] / 2 + 0.35)], -hand * 115, 'armchair')
  }
}

const livingRoom: Recipe = (plan) => {
  const { random } = plan
  fittings(plan, { curtains: 0.7 })
  seatingGroup(plan)
  plan.wall('bookshelf', { access: 0.5, tries: 16 })
  if (plan.area > 20) {
    const table =
      plan.anywhere(random.chance(0.5) ? 'round table' : 'table', { tries: 30, margin: 1 }) ??
      plan.wall('table', { gap: 0.5 })
    chairsAround(plan, table, 6)
    plan.on(table, random.pick(['vase', 'fruit bowl', 'candle']))
  }
  const cabinet = plan.wall('cabinet', { access: 0.4, tries: 14 })
  for (const category of random.sample(DECOR, 3)) if (category !== 'clock') plan.on(cabinet, category)
  if (cabinet) plan.hangAbove(cabinet, 'picture', 0.3)
  if (random.chance(0.3)) {
    const piano = plan.wall('piano', { access: 0.6 })
    if (piano) plan.relative(piano, [piano.model.size[0] / 2 + 0.36, 0], 180, 'stool')
  }
  for (let i = 0; i < 2; i++) plan.corner('plant')
  for (const category of random.sample(
    [
      'guitar',
      'floor lamp',
      'armchair',
      'ottoman',
      'basket',
      'backpack',
      'fan',
      'ball',
      'bicycle',
      'vacuum cleaner',
      'handbag',
      'box',
    ] as const,
    5,
  )) {
    if (category === 'handbag') plan.on(cabinet, 'handbag')
    else plan.wall(category)
  }
  pictures(plan, 4)
  plan.hang('clock', { low: 1.65, high: 1.9 })
  if (random.chance(0.4)) plan.hang('air conditioner', { low: 1.95, high: 2.1 })
}

/** Units of one kitchen: doors of one making, one depth and height, each as wide as it comes. */
function unitLook(plan: RoomPlanner, unit: Category, { variant, size }: Look): Look {
  if (unit === 'refrigerator') return plan.look(unit)
  const own = drawSize(unit, variant, plan.random)
  const model = plan.defaultSize(unit, variant)
  const wide =
    unit === 'oven' || unit === 'dishwasher' ? own[1] : toMillimetres(model[1] * plan.random.range(0.55, 1.6))
  const tall = toMillimetres((model[2] * size[2]) / plan.defaultSize('kitchen counter', variant)[2])
  return { variant, size: [size[0], wide, tall], colors: [] }
}

/** Units in one row along a wall, from one corner to the other or as far as they go. */
function kitchenRow(plan: RoomPlanner, side: Side, units: readonly Category[], kit: Look): Placed[] {
  const span = side === 'north' || side === 'south' ? plan.room.x : plan.room.y
  const made: Placed[] = []
  const flip = plan.random.chance(0.5)
  let along = flip ? span[1] - 0.03 : span[0] + 0.03
  for (const unit of units) {
    const look = unitLook(plan, unit, kit)
    const wide = look.size[1]
    for (let tries = 0; tries < 14; tries++) {
      const mid = flip ? along - wide / 2 : along + wide / 2
      const placed =
        mid > span[0] && mid < span[1] ? plan.wallAt(unit, side, mid, { look, gap: 0.01, access: 0.5 }) : null
      if (placed) {
        made.push(placed)
        along = flip ? along - wide - 0.005 : along + wide + 0.005
        break
      }
      along += flip ? -0.15 : 0.15
    }
  }
  return made
}

const kitchen: Recipe = (plan) => {
  const { random } = plan
  const drawn = plan.look('kitchen counter')
  const [depth, , height] = plan.defaultSize('kitchen counter', drawn.variant)
  const kit: Look = {
    ...drawn,
    size: [
      toMillimetres(depth * random.range(0.88, 1.1)),
      drawn.size[1],
      toMillimetres(height * random.range(0.92, 1.1)),
    ],
  }
  const long = SIDES.toSorted((a, b) => wallLength(plan, b) - wallLength(plan, a) || (random.chance(0.5) ? 1 : -1))
  // The wall with the fewest openings takes the row.
  const openings = (side: Side): number =>
    plan.doors.filter((door) => door.side === side).length * 2 +
    plan.windows.filter((window) => window.side === side).length
  const side = long.toSorted((a, b) => openings(a) - openings(b))[0]!
  const row = kitchenRow(
    plan,
    side,
    random.chance(0.5)
      ? ['refrigerator', 'kitchen counter', 'kitchen sink', 'oven', 'dishwasher', 'kitchen counter']
      : ['dishwasher', 'kitchen sink', 'kitchen counter', 'oven', 'kitchen counter', 'refrigerator'],
    kit,
  )
  for (const unit of row) {
    const along = side === 'north' || side === 'south' ? unit.position[0] : unit.position[1]
    if (unit.category === 'oven') {
      plan.hangAt('range hood', side, along, random.range(1.55, 1.75))
      if (random.chance(0.7)) plan.on(unit, 'pot')
    } else if (unit.category === 'kitchen counter' || unit.category === 'dishwasher')
      plan.hangAt('wall cabinet', side, along, toMillimetres(kit.size[2] + 0.6), {
        variant: kit.variant,
        size: [0.37, toMillimetres(unit.model.size[1] - 0.004), toMillimetres(random.range(0.45, 0.8))],
        colors: [],
      })
  }
  const tops = row.filter(({ category }) => category === 'kitchen counter' || category === 'dishwasher')
  for (const category of random.sample(
    [
      'microwave',
      'kettle',
      'toaster',
      'coffee machine',
      'fruit bowl',
      'bottle',
      'radio',
      'cup',
      'pot',
      'plate',
    ] as const,
    7,
  )) {
    plan.on(tops.length > 0 ? random.pick(tops) : null, category)
  }
  if (!row.some(({ category }) => category === 'refrigerator')) plan.corner('refrigerator', { access: 0.5 })
  if (!row.some(({ category }) => category === 'oven')) plan.wall('oven', { access: 0.5 })
  if (!row.some(({ category }) => category === 'kitchen sink'))
    plan.wall('kitchen sink', { access: 0.5, look: unitLook(plan, 'kitchen sink', kit) })
  fittings(plan, { curtains: 0 })
  const table =
    plan.anywhere(random.chance(0.4) ? 'round table' : 'table', { tries: 40, margin: 0.7 }) ??
    plan.wall('table', { gap: 0.05, tries: 16 })
  chairsAround(plan, table, random.between(2, 6))
  for (const category of random.sample(['fruit bowl', 'vase', 'cup', 'plate', 'bottle', 'cup', 'plate'] as const, 4))
    plan.on(table, category)
  if (!plan.corner('trash can')) plan.wall('trash can')
  if (random.chance(0.6)) plan.wall('cabinet', { access: 0.4 })
  if (random.chance(0.5)) plan.corner('plant')
  if (random.chance(0.3)) plan.wall('washing machine', { access: 0.5 })
  if (random.chance(0.4)) plan.wall(random.pick(['broom', 'bucket', 'basket', 'stool'] as const))
  plan.hang('clock', { low: 1.7, high: 1.95 })
  if (random.chance(0.6)) plan.hang('calendar', { low: 1.3, high: 1.5 })
  pictures(plan, 1)
}

function wallLength(plan: RoomPlanner, side: Side): number {
  return side === 'north' || side === 'south' ? plan.width : plan.depth
}

const bathroom: Recipe = (plan) => {
  const { random } = plan
  fittings(plan, { curtains: 0 })
  const tub = random.chance(0.55)
  // A tub lies along its wall: its length runs across its front.
  const wet = tub ? lengthwise(plan, 'bathtub') : plan.corner('shower', { access: 0.4 })
  if (!wet) plan.corner('shower', { access: 0.3 })
  const toilet = plan.wall('toilet', { access: 0.45, tries: 30 })
  if (toilet) {
    const side = SIDES.find((name) => FACING[name] === toilet.yaw)!
    const along = side === 'north' || side === 'south' ? toilet.position[0] : toilet.position[1]
    for (const shift of random.shuffle([-0.42, 0.42])) if (plan.hangAt('toilet paper', side, along + shift, 0.6)) break
  }
  const sink = plan.wall('sink', { access: 0.5, tries: 30 })
  if (sink) {
    for (let i = 0; i < 4 && !plan.hangAbove(sink, 'mirror', 0.05); i++);
    plan.on(sink, random.pick(['cup', 'candle', 'bottle'] as const))
  }
  plan.hang('towel', { low: 0.7, high: 0.9, tries: 20 })
  if (random.chance(0.6)) {
    const machine = plan.wall('washing machine', { access: 0.45, tries: 16 })
    plan.on(machine, random.pick(['basket', 'bottle', 'box'] as const))
  }
  plan.wall(random.pick(['laundry basket', 'trash can', 'stool'] as const))
  if (random.chance(0.6)) plan.wall('trash can')
  if (random.chance(0.4)) plan.corner('plant')
  if (random.chance(0.3)) plan.wall('cabinet', { access: 0.4 })
  if (random.chance(0.4)) plan.wall(random.pick(['bucket', 'ironing board', 'basket'] as const))
}

/** Something whose long side goes against the wall although its front is an end. */
function lengthwise(plan: RoomPlanner, category: Category): Placed | null {
  const look = plan.look(category)
  const { size } = look
  for (const side of plan.random.shuffle([...SIDES])) {
    for (const end of plan.random.shuffle([0, 1])) {
      const span = side === 'north' || side === 'south' ? plan.room.x : plan.room.y
      const along = end ? span[1] - size[0] / 2 - 0.02 : span[0] + size[0] / 2 + 0.02
      const inwards = size[1] / 2 + 0.02
      const across =
        side === 'west'
          ? plan.room.x[0] + inwards
          : side === 'east'
            ? plan.room.x[1] - inwards
            : side === 'south'
              ? plan.room.y[0] + inwards
              : plan.room.y[1] - inwards
      const at = side === 'west' || side === 'east' ? ([across, along] as const) : ([along, across] as const)
      const yaw = (side === 'west' || side === 'east' ? 90 : 0) + (end ? 180 : 0)
      const placed = plan.stand(category, at, yaw, { look })
      if (placed) return placed
    }
  }
  return null
}

const office: Recipe = (plan) => {
  const { random } = plan
  fittings(plan, { curtains: 0.15, panels: plan.area > 12 })
  const desks = Math.max(1, Math.min(6, Math.round(plan.area / 7)))
  for (let i = 0; i < desks; i++) {
    // Desks stand with their back to the wall; who works there sits in the room.
    const desk = plan.wall('desk', { tries: 16 })
    workPlace(plan, desk, { rich: 2 })
  }
  plan.wall('bookshelf', { access: 0.4, tries: 14 })
  const files = plan.wall('filing cabinet', { access: 0.45, tries: 12 })
  plan.on(files, random.pick(['printer', 'scanner', 'plant', 'box'] as const))
  const cabinet = plan.wall('cabinet', { access: 0.4, tries: 12 })
  plan.on(cabinet, 'printer')
  plan.on(cabinet, random.pick(['projector', 'coffee machine', 'books', 'globe'] as const))
  if (plan.area > 16) {
    const table = plan.anywhere('table', { tries: 24, margin: 0.9 })
    chairsAround(plan, table, 6)
    plan.on(table, random.pick(['laptop', 'projector', 'bottle']))
  }
  if (random.chance(0.5)) plan.hang('wall whiteboard', { low: 0.9, high: 1, tries: 20 })
  else plan.wall('whiteboard', { access: 0.5 })
  plan.corner('plant')
  plan.wall('trash can')
  if (random.chance(0.6)) plan.wall('coat rack')
  for (const category of random.sample(
    ['backpack', 'box', 'fire extinguisher', 'fan', 'computer tower', 'suitcase', 'armchair', 'stool'] as const,
    3,
  ))
    plan.wall(category)
  plan.hang('clock', { low: 1.75, high: 1.95 })
  if (random.chance(0.6)) plan.hang('air conditioner', { low: 1.95, high: 2.05 })
  if (random.chance(0.5)) plan.hang('calendar', { low: 1.3, high: 1.5 })
  pictures(plan, 2)
}

const classRoom: Recipe = (plan) => {
  const { random } = plan
  const doorSides = new Set(plan.doors.map(({ side }) => side))
  const windowSides = new Set(plan.windows.map(({ side }) => side))
  const blank = SIDES.filter((side) => !windowSides.has(side) && !doorSides.has(side))
  const front = random.pick(blank.length > 0 ? blank : SIDES.filter((side) => !windowSides.has(side)))
  const board = plan.hang('wall whiteboard', { sides: [front], at: 0.5, low: 0.85, high: 0.95, tries: 30 })
  if (board) plan.hangAbove(board, 'clock', 0.12)
  fittings(plan, { curtains: 0.1, panels: true })
  const yaw = FACING[front]
  // A frame whose x runs from the board into the room.
  const [c, s] = turnOf(yaw)
  const across = front === 'north' || front === 'south' ? plan.width : plan.depth
  const deep = front === 'north' || front === 'south' ? plan.depth : plan.width
  const wallX = front === 'west' ? plan.room.x[0] : front === 'east' ? plan.room.x[1] : plan.center[0]
  const wallY = front === 'south' ? plan.room.y[0] : front === 'north' ? plan.room.y[1] : plan.center[1]
  const at = (x: number, y: number): readonly [number, number] => [wallX + c * x - s * y, wallY + s * x + c * y]
  const teacher = plan.stand('desk', at(1.35, random.pick([-1, 1]) * (across / 2 - 1.3)), yaw + 180)
  if (teacher) {
    plan.relative(teacher, [teacher.model.size[0] / 2 + 0.45, 0], 180, 'office chair')
    plan.on(teacher, random.pick(['laptop', 'computer'] as const))
    plan.on(teacher, random.pick(['globe', 'books', 'projector', 'row of books'] as const))
    plan.on(teacher, 'cup')
  }
  const desk = plan.look('school desk')
  const chair = plan.look('chair')
  const [pitch, row] = [random.range(1.45, 1.6), random.range(1.35, 1.5)]
  const wide = desk.size[1]
  const columns = Math.max(1, Math.floor((across - 1.2) / Math.max(pitch, wide + 0.55)))
  const rows = Math.max(1, Math.floor((deep - 3.1) / row))
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const y = (j - (columns - 1) / 2) * Math.max(pitch, wide + 0.55)
      const table = plan.stand('school desk', at(2.75 + i * row, y), yaw, { look: desk })
      if (!table) continue
      const seats = wide > 1 ? [-0.25 * wide, 0.25 * wide] : [0]
      for (const seat of seats) {
        const away = (table.model.size[0] + chair.size[0]) / 2 + chair.size[0] * random.range(-0.4, 0.15)
        plan.relative(table, [away, seat], 180, 'chair', { look: chair })
      }
      if (random.chance(0.35)) plan.on(table, random.pick(['books', 'laptop', 'cup'] as const))
      if (random.chance(0.15)) plan.relative(table, [0.1, table.model.size[1] / 2 + 0.2], 180, 'backpack')
    }
  }
  plan.wall('bookshelf', { access: 0.4 })
  const cabinet = plan.wall('cabinet', { access: 0.4 })
  plan.on(cabinet, 'globe')
  plan.on(cabinet, 'printer')
  plan.wall('trash can')
  plan.corner('plant')
  for (const category of random.sample(
    ['fire extinguisher', 'piano', 'coat rack', 'guitar', 'box', 'fan', 'ball'] as const,
    3,
  ))
    plan.wall(category)
  if (random.chance(0.6)) plan.hang('air conditioner', { low: 2.0, high: 2.2 })
  plan.hang('calendar', { low: 1.3, high: 1.5 })
  pictures(plan, 4)
}

const workshop: Recipe = (plan) => {
  const { random } = plan
  fittings(plan, { curtains: 0, panels: true })
  const benches = plan.area > 26 ? 2 : 1
  for (let i = 0; i < benches; i++) {
    const bench = plan.wall('workbench', { access: 0.6, tries: 20 })
    plan.on(bench, random.pick(['tool box', 'drill press', 'paint can'] as const))
    plan.on(bench, random.pick(['tool box', 'radio', 'box'] as const))
    if (bench && random.chance(0.6)) plan.relative(bench, [bench.model.size[0] / 2 + 0.4, 0.2], 0, 'stool')
    if (bench) plan.hangAbove(bench, 'wall shelf', 0.35)
  }
  for (let i = random.between(1, 3); i > 0; i--) plan.wall('storage rack', { access: 0.5 })
  const table = plan.anywhere('table', { tries: 20, margin: 1 })
  for (const category of random.sample(['drill press', 'tool box', 'paint can', 'box', 'laptop'] as const, 3))
    plan.on(table, category)
  const files = plan.wall('filing cabinet', { access: 0.4 })
  plan.on(files, 'radio')
  for (const category of random.sample(
    [
      'ladder',
      'bicycle',
      'bucket',
      'broom',
      'vacuum cleaner',
      'fire extinguisher',
      'box',
      'box',
      'trash can',
      'stool',
      'fan',
      'suitcase',
    ] as const,
    8,
  ))
    plan.wall(category)
  const box = plan.corner('box')
  if (box && random.chance(0.3)) plan.anywhere('ladder')
  plan.hang('clock', { low: 1.8, high: 2 })
  if (random.chance(0.5)) plan.hang('calendar', { low: 1.3, high: 1.5 })
  if (random.chance(0.5)) plan.hang('wall whiteboard', { low: 0.95, high: 1.05 })
}

const corridor: Recipe = (plan) => {
  const { random } = plan
  fittings(plan, { curtains: 0.3 })
  const cabinet = plan.wall('cabinet', { access: 0.5, tries: 14 })
  plan.on(cabinet, random.pick(['vase', 'lamp', 'telephone'] as const))
  plan.on(cabinet, random.pick(['books', 'handbag', 'candle', 'radio'] as const))
  if (cabinet) plan.hangAbove(cabinet, 'mirror', 0.15)
  const bench = plan.wall('bench', { access: 0.4, tries: 14 })
  plan.on(bench, random.pick(['handbag', 'pillow', 'books'] as const))
  for (const category of ['coat rack', 'umbrella stand', 'shoes', 'plant'] as const) plan.wall(category)
  for (const category of random.sample(
    [
      'bicycle',
      'backpack',
      'suitcase',
      'fire extinguisher',
      'box',
      'basket',
      'ladder',
      'trash can',
      'ball',
      'vacuum cleaner',
      'chair',
      'wardrobe',
    ] as const,
    4,
  ))
    plan.wall(category)
  if (random.chance(0.5)) plan.anywhere('rug', { tries: 20 })
  pictures(plan, 5)
  plan.hang('clock', { low: 1.7, high: 1.9 })
}

export const recipes: Readonly<Record<RoomKind, Recipe>> = {
  bedroom,
  'living room': livingRoom,
  kitchen,
  bathroom,
  office,
  'class room': classRoom,
  workshop,
  corridor,
}
