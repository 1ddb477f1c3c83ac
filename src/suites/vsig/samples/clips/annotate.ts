/** Annotates a planned clip as in the dataset: masks from rendered ids, areas of three points, words, options. */
import { Random } from '../../../../suite.ts'
import { project, type SeenThing, seenThings } from '../../../../world.ts'
import type { Annotation, Entry, EvalTruth } from '../../domain/annotation.ts'
import { maskOfId } from '../../domain/mask-encode.ts'
import { meanOf, type Point } from '../../domain/points.ts'
import { type Language, mergeSlots, placeName, SHAPES } from '../../domain/templates.ts'
import { spokenWindows } from '../../domain/windows.ts'
import { lastFrameIds } from './draw.ts'
import { cameraAt, type ClipPlan, frameMs, HEIGHT, planClip, TABLE, WIDTH } from './plan.ts'
import { DIRECTIONS, sideName } from './speech.ts'

/** Minimum visible pixels of an object, which must also be entirely in the frame. */
const MIN_PIXELS = 350
/** Minimum distance of areas from the edge of the frame, in pixels. */
const MARGIN = 24
const ATTEMPTS = 40

export interface AnnotatedClip {
  plan: ClipPlan
  annotation: Annotation
  evalTruth: EvalTruth
}

/** Generates the clip at an index with its ground truth. Retries layouts in which something is hidden. */
export function annotatedClip(seed: number, index: number, language: Language): AnnotatedClip {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const plan = planClip(seed, index, language, attempt)
    const clip = annotate(plan)
    if (clip) return clip
  }
  throw new Error(`No clip with everything visible found for ${seed}/${index}.`)
}

function annotate(plan: ClipPlan): AnnotatedClip | null {
  const ids = lastFrameIds(plan)
  const seen = new Map(seenThings(ids, WIDTH).map((object) => [object.instance, object]))
  const entries: Entry[] = []
  for (const planned of plan.entries) {
    const entry =
      planned.kind === 'object'
        ? objectEntry(planned.name, ids, seen.get(planned.object))
        : areaEntry(plan, planned.at, planned.name, ids, entries.length)
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
  return { plan, annotation, evalTruth: evalTruthOf(plan, annotation) }
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
function centerPixel(ids: Uint16Array, { instance, x1, y1, x2, y2 }: SeenThing): Point {
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

function areaEntry(
  plan: ClipPlan,
  [x, y]: readonly [number, number],
  name: string,
  ids: Uint16Array,
  at: number,
): Entry | null {
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
  return { name, type: 'space', points, asr_begin_time: null, asr_end_time: null }
}

/** Options with distractors: every object on the table, and plausible places. */
function evalTruthOf(plan: ClipPlan, { object_space }: Pick<Annotation, 'object_space'>): EvalTruth {
  const random = new Random(`options/${plan.seed}/${plan.index}`)
  const { language } = plan
  const slots = mergeSlots(plan.template, object_space)
  const objects = random.shuffle(plan.objects.map((object) => object[language]))
  const areas = new Set(slots.filter(({ type }) => type === 'space').map(({ name }) => name))
  for (const object of objects) {
    if (areas.size >= 4) break
    areas.add(placeName(object, sideName(random.pick(DIRECTIONS), language)))
  }
  const places = random.shuffle([...areas])
  const { slots: shape } = SHAPES[plan.template]
  const spoken = spokenWindows(plan.template, plan.words)
  return {
    object_choices: objects.map((name, i) => `${String.fromCharCode(65 + i)}. ${name}`),
    space_choices: places.map((name, i) => `${String.fromCharCode(97 + i)}. ${name}`),
    answer: slots.map((slot, i) => {
      const isObject = slot.type === 'object'
      const letter = isObject ? 65 + objects.indexOf(slot.name) : 97 + places.indexOf(slot.name)
      const entry = object_space[shape[i]!.entry]!
      const [begin, end] = plan.gestures[i]!.hold
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
