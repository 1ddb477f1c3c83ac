/** Drawings for people: the last frame with ground truth and answer, and a timeline of the clip. */
import {
  type Bitmap,
  canDrawChinese,
  DRAWING_FONT,
  encodeJpeg,
  type Episode,
  escapeXml,
  type MediaType,
  svgToPng,
} from '../../../suite.ts'
import type { VsigSample } from '../samples/sample.ts'
import { AREA_UNITS } from '../domain/compare.ts'
import { toThousand } from '../domain/coords.ts'
import { outlineOf } from '../domain/mask-outline.ts'
import type { Size, Target } from '../domain/mask.ts'
import type { VsigOutcome } from '../domain/outcome.ts'
import { meanOf, type Point } from '../domain/points.ts'
import { speechOf, usableWords } from '../domain/windows.ts'
import type { AnswerEvent } from '../events.ts'
import type { VsigOptions } from '../options.ts'
import { judgeScore } from '../parse/judge.ts'
import { type ComparedAnswer, compareAnswer } from '../score.ts'

const COLORS = { truth: '#ffd21f', area: '#25d7ff', hit: '#27c24c', miss: '#f0433a', ink: '#1d2126', paper: '#ffffff' }
const SLOT_COLORS = ['#f0a202', '#1f9ed1', '#8f5bd6', '#3aa655']
const FONT = `font-family="${DRAWING_FONT}, Noto Sans CJK SC, Microsoft YaHei, PingFang SC, sans-serif"`

/** Builds the `vsig/answer` event, and stores both drawings as SVG and PNG. */
export async function answerEvent(
  sample: VsigSample,
  episode: Episode,
  options: VsigOptions,
  outcome: VsigOutcome,
  lastFrame: Bitmap,
  durationMs: number,
): Promise<AnswerEvent> {
  const result = compareAnswer(sample, outcome, options)
  const overlay = overlaySvg(sample, result, lastFrame, await encodeJpeg(lastFrame))
  const timeline = timelineSvg(sample, result, durationMs)
  const keep = async (shows: string, bytes: Uint8Array, type: MediaType): Promise<string> =>
    (await episode.keep(bytes, type, { made: 'drawing', shows, sample: sample.id })).sha256
  return {
    type: 'vsig/answer',
    overlaySvg: await keep('overlay', Buffer.from(overlay), 'image/svg+xml'),
    overlayPng: await keep('overlay', await svgToPng(drawable(overlay)), 'image/png'),
    timelineSvg: await keep('timeline', Buffer.from(timeline), 'image/svg+xml'),
    timelinePng: await keep('timeline', await svgToPng(drawable(timeline)), 'image/png'),
    command: result.prediction?.command ?? null,
    points: (result.prediction?.points ?? []).map(({ point, description, time }) => ({
      point: point && toThousand(point, options.coords, outcome.shown),
      written: point,
      description,
      time,
    })),
    intent: result.score.intent,
    judge: outcome.judge && { score: judgeScore(outcome), reply: outcome.judge.again ?? outcome.judge.intent },
    slots: result.score.slots.map((slot, i) => ({ name: result.truth.slots[i]!.name, ...slot })),
    windows: result.truth.slots.map(({ window }) => (window.kind === 'window' ? window.window : window.kind)),
  }
}

/** Chinese text, with its punctuation. */
const CHINESE = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef“”]+/gu
let drawsChinese: boolean | undefined

/** The drawing with what can be drawn here: the SVG keeps Chinese text for browsers, which have fonts for it. */
export function drawable(svg: string, canDraw = (drawsChinese ??= canDrawChinese())): string {
  if (canDraw) return svg
  return svg.replaceAll(/>[^<>]{0,2000}</g, (text) => text.replaceAll(CHINESE, '(zh)'))
}

const CAPTION_HEIGHT = 66

export function overlaySvg(
  sample: VsigSample,
  { truth, prediction, score }: ComparedAnswer,
  frame: Size,
  jpeg: Uint8Array,
): string {
  const { width, height } = frame
  const at = ([x, y]: Point): Point => [(x / 1000) * width, (y / 1000) * height]
  const middles = truth.slots.map(({ points }) => (points.length === 0 ? null : at(meanOf(points))))
  const marks = truth.slots.flatMap((slot, i) => {
    const middle = middles[i]
    const drawn: string[] = []
    const color = slot.kind === 'object' ? COLORS.truth : COLORS.area
    if (slot.target) drawn.push(maskShape(slot.target, frame, color))
    else if (middle) {
      const [cx, cy] = middle
      const rx = (AREA_UNITS / 1000) * width
      const ry = (AREA_UNITS / 1000) * height
      drawn.push(
        `<ellipse cx="${f(cx)}" cy="${f(cy)}" rx="${f(rx)}" ry="${f(ry)}" fill="${color}" fill-opacity="0.16" stroke="${color}" stroke-width="2.5" stroke-dasharray="7 5"/>`,
      )
    }
    if (slot.kind === 'area' || !slot.target) {
      const dots = slot.points.map(at)
      drawn.push(...dots.map(([x, y]) => `<circle cx="${f(x)}" cy="${f(y)}" r="4" fill="${color}" stroke="#00323d"/>`))
    }
    if (middle) drawn.push(tag(middle, `${i + 1}`, color))
    return drawn
  })
  const answers = score.slots.flatMap(({ point, spatial }, i) => {
    if (!point) return []
    const [x, y] = at(point)
    const color = spatial ? COLORS.hit : COLORS.miss
    const target = middles[i]
    const line =
      target && !spatial
        ? `<line x1="${f(x)}" y1="${f(y)}" x2="${f(target[0])}" y2="${f(target[1])}" stroke="${color}" stroke-width="2" stroke-dasharray="4 4"/>`
        : ''
    const cross = `M${f(x - 13)} ${f(y)}H${f(x + 13)}M${f(x)} ${f(y - 13)}V${f(y + 13)}`
    return [
      line,
      `<path d="${cross}" stroke="#fff" stroke-width="5"/><path d="${cross}" stroke="${color}" stroke-width="2.5"/>`,
      `<circle cx="${f(x)}" cy="${f(y)}" r="8" fill="none" stroke="#fff" stroke-width="5"/><circle cx="${f(x)}" cy="${f(y)}" r="8" fill="none" stroke="${color}" stroke-width="3"/>`,
      label([x, y - 10], `${i + 1} ${spatial ? 'hit' : 'miss'}`, color, width),
    ]
  })
  const speech = speechOf(sample.template, sample.annotation)
  const said = sample.annotation.asr_result?.text || (speech === 'silent' ? '(no speech)' : '(no transcript)')
  const hits = score.slots.filter(({ spatial }) => spatial).length
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height + CAPTION_HEIGHT}" viewBox="0 0 ${width} ${height + CAPTION_HEIGHT}">
<rect width="${width}" height="${height + CAPTION_HEIGHT}" fill="${COLORS.paper}"/>
<image width="${width}" height="${height}" href="data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}"/>
${[...marks, ...answers].join('\n')}
<g ${FONT} font-size="15" fill="${COLORS.ink}">
<text x="12" y="${height + 22}">${escapeXml(truncate(`${sample.labels.template} · said: ${said}`, 100))}</text>
<text x="12" y="${height + 42}">${escapeXml(truncate(`meant: ${truth.slots.map(({ name }, i) => `${i + 1} ${name}`).join(', ')}`, 110))}</text>
<text x="12" y="${height + 60}" fill="${hits === score.slots.length ? '#187a30' : '#a8271f'}">${escapeXml(truncate(`answer: ${prediction?.command || '(none)'} — ${hits} of ${score.slots.length} places`, 110))}</text>
</g>
</svg>`
}

const f = (value: number): string => String(Math.round(value * 10) / 10)

function truncate(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

function tag([x, y]: Point, text: string, color: string): string {
  return `<circle cx="${f(x)}" cy="${f(y)}" r="11" fill="${color}" stroke="#000" stroke-opacity="0.5"/><text x="${f(x)}" y="${f(y + 5)}" ${FONT} font-size="14" font-weight="bold" text-anchor="middle" fill="#000">${text}</text>`
}

const LABEL_WIDTH = 70

/** A label next to a mark, on the side with enough room. */
function label([x, y]: Point, text: string, color: string, width: number): string {
  const toLeft = x > width - LABEL_WIDTH
  const place = `x="${f(toLeft ? x - 12 : x + 12)}" y="${f(Math.max(16, y))}" text-anchor="${toLeft ? 'end' : 'start'}"`
  const attributes = `${place} ${FONT} font-size="15" font-weight="bold"`
  return `<text ${attributes} stroke="#fff" stroke-width="4" stroke-linejoin="round">${text}</text><text ${attributes} fill="${color}">${text}</text>`
}

/** The filled mask with an outline along pixel edges. */
function maskShape(target: Target, frame: Size, color: string): string {
  const outline = outlineOf(target)
  if (!outline) return ''
  const sx = frame.width / outline.frame.width
  const sy = frame.height / outline.frame.height
  const [x, y] = outline.offset
  const move = x === 0 && y === 0 ? '' : `translate(${f(x * sx)} ${f(y * sy)}) `
  return `<g transform="${move}scale(${sx} ${sy})"><path d="${outline.fill}" fill="${color}" fill-opacity="0.24"/><path d="${outline.edge}" stroke="${color}" stroke-width="2" fill="none"/></g>`
}

const TIMELINE = { width: 960, left: 96, right: 24, row: 34 }

/** Words, true windows and answered moments along the clip. */
export function timelineSvg(
  sample: VsigSample,
  { truth, prediction, score }: ComparedAnswer,
  durationMs: number,
): string {
  const span = TIMELINE.width - TIMELINE.left - TIMELINE.right
  const x = (ms: number): number =>
    TIMELINE.left + (Math.min(Math.max(ms, 0), durationMs) / Math.max(1, durationMs)) * span
  const row = (number: number): number => 30 + number * TIMELINE.row
  const height = row(truth.slots.length + 1) + 30
  const parts: string[] = []
  const name = (number: number, text: string): string =>
    `<text x="12" y="${row(number) + 17}" font-size="13">${escapeXml(truncate(text, 12))}</text>`
  for (let ms = 0; ms <= durationMs; ms += 1000) {
    parts.push(
      `<line x1="${f(x(ms))}" y1="24" x2="${f(x(ms))}" y2="${height - 26}" stroke="#e3e6ea"/><text x="${f(x(ms))}" y="${height - 10}" font-size="11" text-anchor="middle" fill="#69707a">${ms / 1000} s</text>`,
    )
  }
  parts.push(name(0, 'words'))
  for (const { text, begin, end } of usableWords(sample.annotation.asr_result?.words ?? [])) {
    const left = x(begin)
    // Short words are spoken in less than they take to print: smaller letters keep them apart.
    const size = Math.max(6, Math.min(12, (x(end) - left) / (0.6 * text.length)))
    parts.push(
      `<rect x="${f(left)}" y="${row(0)}" width="${f(Math.max(1, x(end) - left - 1))}" height="24" rx="3" fill="#eef1f5" stroke="#c4cad2"/><text x="${f((left + x(end)) / 2)}" y="${row(0) + 17}" font-size="${f(size)}" text-anchor="middle">${escapeXml(text)}</text>`,
    )
  }
  for (const [i, { window, kind }] of truth.slots.entries()) {
    const color = SLOT_COLORS[i % SLOT_COLORS.length]!
    parts.push(name(i + 1, `${i + 1} ${kind}`))
    if (window.kind === 'window') {
      const [begin, end] = window.window
      parts.push(
        `<rect x="${f(x(begin))}" y="${row(i + 1)}" width="${f(x(end) - x(begin))}" height="24" rx="3" fill="${color}" fill-opacity="0.35" stroke="${color}"/>`,
      )
    } else {
      parts.push(
        `<text x="${TIMELINE.left}" y="${row(i + 1) + 17}" font-size="12" fill="#69707a">${window.kind}</text>`,
      )
    }
    const time = prediction?.points[i]?.time ?? null
    const { moment, temporal } = score.slots[i]!
    if (moment === null) continue
    const ink = temporal === null ? '#69707a' : temporal ? COLORS.hit : COLORS.miss
    if (Array.isArray(time)) {
      const [from, to] = time as readonly [number, number]
      parts.push(
        `<line x1="${f(x(from))}" y1="${row(i + 1) + 12}" x2="${f(x(to))}" y2="${row(i + 1) + 12}" stroke="${ink}" stroke-width="3"/>`,
      )
    }
    parts.push(
      `<circle cx="${f(x(moment))}" cy="${row(i + 1) + 12}" r="6" fill="${ink}" stroke="#fff" stroke-width="1.5"/>`,
    )
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${TIMELINE.width}" height="${height}" viewBox="0 0 ${TIMELINE.width} ${height}">
<rect width="${TIMELINE.width}" height="${height}" fill="#fff"/>
<g ${FONT} fill="${COLORS.ink}">
${parts.join('\n')}
</g>
</svg>`
}
