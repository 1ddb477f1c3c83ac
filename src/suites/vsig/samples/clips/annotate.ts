/** Annotates a planned clip as in the dataset: masks from rendered ids, areas of three points, words, options. */
import { Random } from '../../../../suite.ts'
import { type Camera, project, type SeenThing, seenThings } from '../../../../world.ts'
import type { Annotation, Entry, EntryMask, EvalTruth } from '../../domain/annotation.ts'
import { maskOfId } from '../../domain/mask-encode.ts'
import { meanOf, type Point } from '../../domain/points.ts'
import { placeName, SHAPES } from '../../domain/templates.ts'
import { spokenWindows } from '../../domain/windows.ts'
import { lastFrameIds } from './draw.ts'
import { evidenceOf, isFair } from './eye.ts'
import {
  cameraAt,
  type ClipKey,
  type ClipPlan,
  HEIGHT,
  isInRegion,
  planClip,
  type PlannedEntry,
  TABLE,
  uniqueName,
  WIDTH,
} from './plan.ts'
import { frameMs } from './timing.ts'
import { DIRECTIONS, sideName } from './speech.ts'

/** Minimum visible pixels of an object, which must also be entirely in the frame. */
const MIN_PIXELS = 350
/** Minimum distance of areas from the edge of the frame, in pixels. */
const MARGIN = 24
const ATTEMPTS = 1000

export interface AnnotatedClip {
  plan: ClipPlan
  /** The frames that show the hand pointing, first and last, for each slot. */
  evidence: (readonly [number, number])[]
  annotation: Annotation
  evalTruth: EvalTruth
}

/** Generates a clip with its ground truth. Retries what cannot be seen. */
export function annotatedClip(key: Omit<ClipKey, 'attempt'>): AnnotatedClip {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = planClip({ ...key, attempt })
    const clip = isFair(plan) ? annotate(plan) : null
    if (clip) return clip
  }
  throw new Error(`No clip with everything visible found for ${key.seed}/${key.index}.`)
}

function annotate(plan: ClipPlan): AnnotatedClip | null {
  const ids = lastFrameIds(plan)
  const seen = new Map(seenThings(ids, WIDTH).map((object) => [object.instance, object]))
  const entries: Entry[] = []
  for (const planned of plan.entries) {
    const entry =
      planned.kind === 'object'
        ? objectEntry(planned.name, ids, seen.get(planned.object))
        : areaEntry(plan, planned, ids, entries.length)
    if (!entry) return null
    entries.push(entry)
  }
  const annotation: Annotation = {
    id: `${plan.seed}${String(plan.index).padStart(6, '0')}`,
    video_name: `clip-${plan.seed}-${String(plan.index).padStart(4, '0')}.mp4`,
    task_template: plan.template,
    is_invalid: false,
    object_space: entries,
    asr_result: plan.words.length === 0 ? null : { text: plan.text, words: plan.words },
    timestamp: null,
  }
  return { plan, annotation, evalTruth: evalTruthOf(plan, annotation), evidence: evidenceOf(plan) }
}

const toThousandths = (value: number, side: number): number => Math.round((value / side) * 1000)

function objectEntry(name: string, ids: Uint16Array, seen: SeenThing | undefined): Entry | null {
  if (!seen || seen.pixels < MIN_PIXELS || seen.cutByEdge) return null
  const { instance, x1, y1, x2, y2 } = seen
  const [x, y] = centerPixel(ids, seen)
  return {
    name,
    type: 'object',
    points: [[toThousandths(y + 0.5, HEIGHT), toThousandths(x + 0.5, WIDTH)]],
    mask: { mask_base64: maskOfId(ids, instance, WIDTH, HEIGHT), bbox: [x1, y1, x2, y2], point_on_mask: true },
    asr_begin_time: null,
    asr_end_time: null,
  }
}

/** The object's pixel nearest to its center, which may itself be a hole, as in a ring. */
export function centerPixel(ids: Uint16Array, { instance, x1, y1, x2, y2 }: SeenThing): Point {
  const isOwn = (x: number, y: number): boolean => ids[y * WIDTH + x] === instance
  const own: Point[] = []
  for (let y = y1; y <= y2; y++) {
    for (let x = x1; x <= x2; x++) if (isOwn(x, y)) own.push([x, y])
  }
  const [cx, cy] = meanOf(own)
  const distance = ([x, y]: Point): number => (x - cx) ** 2 + (y - cy) ** 2
  // Excludes the rim, so a rounded coordinate is still on the object.
  const inner = own.filter(([x, y]) => isOwn(x - 1, y) && isOwn(x + 1, y) && isOwn(x, y - 1) && isOwn(x, y + 1))
  return inner.reduce((best, pixel) => (distance(pixel) < distance(best) ? pixel : best), inner[0] ?? [0, 0])
}

type PlannedArea = Extract<PlannedEntry, { kind: 'area' }>

function areaEntry(plan: ClipPlan, planned: PlannedArea, ids: Uint16Array, at: number): Entry | null {
  const [x, y] = planned.at
  const camera = cameraAt(plan, frameMs(plan.frames - 1))
  const random = new Random(`area/${plan.seed}/${plan.index}/${at}`)
  const points: [number, number][] = []
  for (const [dx, dy] of [
    [0.02, 0],
    [-0.015, 0.016],
    [-0.012, -0.018],
  ] as const) {
    const spot = project(camera, [x + dx + random.range(-0.004, 0.004), y + dy, TABLE.z])
    const column = Math.floor(spot.x)
    const row = Math.floor(spot.y)
    const inside = column >= MARGIN && row >= MARGIN && column < WIDTH - MARGIN && row < HEIGHT - MARGIN
    if (!inside || ids[row * WIDTH + column] !== 0) return null
    points.push([toThousandths(spot.y, HEIGHT), toThousandths(spot.x, WIDTH)])
  }
  const region = regionMask(plan, planned, ids, camera)
  if (!region) return null
  const { name, also } = planned
  const times = { asr_begin_time: null, asr_end_time: null }
  return { name, ...(also && also.length > 0 && { also }), type: 'space', points, region, ...times }
}

/** Any number that no object has. */
const REGION_ID = 60_000

/** No region reaches further from its middle, in meters. */
const REGION_REACH = 0.3

/** The free part of the table in the last frame that the area means. */
function regionMask(plan: ClipPlan, planned: PlannedArea, ids: Uint16Array, camera: Camera): EntryMask | null {
  const { lens } = camera
  const { position, forward, right, down } = camera.pose
  const height = TABLE.z - position[2]
  const marked = new Uint16Array(ids.length)
  const corners = [-REGION_REACH, REGION_REACH].flatMap((dx) =>
    [-REGION_REACH, REGION_REACH].map((dy) => project(camera, [planned.at[0] + dx, planned.at[1] + dy, TABLE.z])),
  )
  const clamped = (value: number, most: number): number => Math.min(most, Math.max(0, Math.floor(value)))
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  let [x1, y1, x2, y2] = [WIDTH, HEIGHT, -1, -1]
  for (let row = clamped(Math.min(...ys), HEIGHT); row < clamped(Math.max(...ys) + 1, HEIGHT); row++) {
    const v = (row + 0.5 - lens.cy) / lens.fy
    for (let column = clamped(Math.min(...xs), WIDTH); column < clamped(Math.max(...xs) + 1, WIDTH); column++) {
      if (ids[row * WIDTH + column] !== 0) continue
      const u = (column + 0.5 - lens.cx) / lens.fx
      const far = height / (forward[2] + right[2] * u + down[2] * v)
      // Rays that meet the table behind the camera look up.
      if (!(far > 0)) continue
      const spot: Point = [
        position[0] + (forward[0] + right[0] * u + down[0] * v) * far,
        position[1] + (forward[1] + right[1] * u + down[1] * v) * far,
      ]
      if (!isOnTable(spot) || !isInRegion(spot, planned, plan.objects)) continue
      marked[row * WIDTH + column] = REGION_ID
      x1 = Math.min(x1, column)
      x2 = Math.max(x2, column)
      y1 = Math.min(y1, row)
      y2 = row
    }
  }
  if (x2 < 0) return null
  return { mask_base64: maskOfId(marked, REGION_ID, WIDTH, HEIGHT), bbox: [x1, y1, x2, y2] }
}

function isOnTable([x, y]: Point): boolean {
  return x >= TABLE.x[0] && x <= TABLE.x[1] && y >= TABLE.y[0] && y <= TABLE.y[1]
}

/** Options with distractors: every object on the table, and plausible places. Look-alikes are told apart by their place. */
function evalTruthOf(plan: ClipPlan, { object_space }: Pick<Annotation, 'object_space'>): EvalTruth {
  const random = new Random(`options/${plan.seed}/${plan.index}`)
  const { language } = plan
  const nameOf = (id: number): string => uniqueName(plan.objects[id - 1]!, plan.objects, language)
  const { slots } = SHAPES[plan.template]
  const names = slots.map(({ entry, reference }): string => {
    const planned = plan.entries[entry]!
    if (planned.kind === 'object') return nameOf(planned.object)
    const of = reference === undefined ? undefined : plan.entries[reference]
    return of?.kind === 'object' ? placeName(nameOf(of.object), planned.name) : planned.name
  })
  const objects = random.shuffle(plan.objects.map(({ id }) => nameOf(id)))
  const areas = new Set(names.filter((_, i) => plan.entries[slots[i]!.entry]!.kind === 'area'))
  for (const object of objects) {
    if (areas.size >= 4) break
    areas.add(placeName(object, sideName(random.pick(DIRECTIONS), language)))
  }
  const places = random.shuffle([...areas])
  const spoken = spokenWindows(plan.template, plan.words)
  return {
    object_choices: objects.map((name, i) => `${String.fromCharCode(65 + i)}. ${name}`),
    space_choices: places.map((name, i) => `${String.fromCharCode(97 + i)}. ${name}`),
    answer: slots.map(({ entry: at }, i) => {
      const entry = object_space[at]!
      const name = names[i]!
      const letter = entry.type === 'object' ? 65 + objects.indexOf(name) : 97 + places.indexOf(name)
      const [begin, end] = plan.gestures.find(({ slot }) => slot === i)!.hold
      return {
        choice: String.fromCharCode(letter),
        asr_begin_time: spoken?.[i]?.[0] ?? null,
        asr_end_time: spoken?.[i]?.[1] ?? null,
        stroke_begin_time: begin,
        stroke_end_time: end,
        points: entry.points,
        ...(entry.mask ? { mask: entry.mask } : {}),
      }
    }),
  }
}
