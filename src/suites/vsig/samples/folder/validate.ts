/** Validates everything that scores depend on before the run. Reports defects instead of throwing. */
import { isLfsPointer, messageOf, openVideo, openRegular } from '../../../../suite.ts'
import { directionsIn, directionsSpoken } from '../../domain/intent.ts'
import { boxOf, FOREGROUND_ABOVE, hasMask, isCrop, maskBytes, type Size, tightBox } from '../../domain/mask.ts'
import { decodeGray, parsePng } from '../../domain/mask-png.ts'
import { pairsOf } from '../../domain/points.ts'
import { mergeSlots, SHAPES, type Template, templateOf } from '../../domain/templates.ts'
import { slotWindows, speechOf, usableWords } from '../../domain/windows.ts'
import type { Defect } from './defects.ts'
import { type FoundClip, LFS_ADVICE, LFS_POINTER } from './scan.ts'

export interface CheckedClip {
  clip: FoundClip
  template: Template | null
  /** Size of the last frame, after rotation; null if there is none. */
  frame: Size | null
  defects: Defect[]
}

type Report = (severity: Defect['severity'], kind: string, detail?: string) => void

export async function validateClip(clip: FoundClip): Promise<CheckedClip> {
  const defects: Defect[] = []
  const report: Report = (severity, kind, detail = '') => defects.push({ severity, kind, where: clip.where, detail })
  for (const { severity, kind, detail } of clip.damage) report(severity, kind, detail)
  const template = checkTemplate(clip, report)
  const video = await checkVideo(clip, report)
  if (template) {
    if (!clip.damage.some(({ severity }) => severity === 'error')) checkEntries(clip, template, video, report)
    checkWords(clip, template, report)
  }
  return { clip, template, frame: video, defects }
}

function checkTemplate({ annotation, folderTemplate }: FoundClip, report: Report): Template | null {
  const named = templateOf(annotation.task_template)
  if (named === null) {
    const written = JSON.stringify(annotation.task_template ?? null)
    if (folderTemplate !== null) {
      report('warning', 'no template', `${written}; using its folder, ${folderTemplate}`)
      return folderTemplate
    }
    report('error', 'unknown template', written)
    return null
  }
  if (folderTemplate !== null && folderTemplate !== named) {
    report('warning', 'template does not match folder', `${named} in ${folderTemplate}`)
  }
  return named
}

interface CheckedVideo extends Size {
  rotation: number
}

async function checkVideo({ annotation, video: path }: FoundClip, report: Report): Promise<CheckedVideo | null> {
  if (path === null) {
    report('error', 'no video', annotation.video_name ? `${annotation.video_name} does not exist` : 'no video_name')
    return null
  }
  if (isLfsPointer(await startOf(path))) {
    report('error', LFS_POINTER, `${annotation.video_name}: ${LFS_ADVICE}`)
    return null
  }
  try {
    const video = await openVideo(path)
    try {
      const { width, height, frames, rotation } = video.info
      if (frames === 0) {
        report('error', 'unreadable last frame', 'the video has no frames')
        return null
      }
      let last = 0
      for await (const { bitmap } of video.frames([frames - 1])) last = bitmap.data.length
      if (last === 0) report('error', 'unreadable last frame', `cannot decode frame ${frames - 1}`)
      if (rotation !== 0) report('warning', 'rotated video', `by ${rotation}°; shown upright as ${width} × ${height}`)
      return { width, height, rotation }
    } finally {
      await video.close()
    }
  } catch (error) {
    report('error', 'unreadable last frame', messageOf(error).replaceAll(path, annotation.video_name ?? 'video'))
    return null
  }
}

/** The first bytes of a file as text; empty if it cannot be read. */
async function startOf(path: string): Promise<string> {
  const file = await openRegular(path).catch(() => null)
  if (!file) return ''
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } catch {
    return ''
  } finally {
    await file.close()
  }
}

function checkEntries({ annotation }: FoundClip, template: Template, video: CheckedVideo | null, report: Report): void {
  const { entries: pattern, slots } = SHAPES[template]
  const { object_space: entries } = annotation
  if (entries.length < pattern.length) {
    report('error', 'too few entries', `${entries.length} of ${pattern.length} for ${template}`)
    return
  }
  if (entries.length > pattern.length) report('warning', 'extra entries', `${entries.length}, ${pattern.length} used`)
  const scored = new Set(slots.map(({ entry }) => entry))
  for (let i = 0; i < pattern.length; i++) {
    const entry = entries[i]!
    const isObject = pattern[i] === 'o'
    const reportEntry: Report = (severity, kind, detail = '') =>
      // Reference objects are not scored, so their defects are only warnings.
      report(scored.has(i) ? severity : 'warning', kind, `entry ${i + 1}${detail === '' ? '' : `: ${detail}`}`)
    if (entry.type !== (isObject ? 'object' : 'space')) {
      reportEntry(
        'warning',
        'unexpected entry type',
        `${JSON.stringify(entry.type)}, expected ${isObject ? 'object' : 'space'}`,
      )
    }
    if (entry.name.trim() === '') reportEntry('warning', 'entry without a name')
    const points = pairsOf(entry.points)
    if (!points && !isObject) reportEntry('error', 'area without points')
    if (points?.some(([y, x]) => !(y >= 0 && y <= 1000 && x >= 0 && x <= 1000))) {
      reportEntry(isObject ? 'warning' : 'error', 'points outside 0…1000')
    }
    if (isObject) checkMask(entry, video, reportEntry)
  }
}

function checkMask(
  { mask, points }: FoundClip['annotation']['object_space'][number],
  video: CheckedVideo | null,
  report: Report,
): void {
  if (!hasMask(mask)) {
    if (pairsOf(points)) report('warning', 'object without a mask', 'scored by distance')
    else report('error', 'object without mask or points')
    return
  }
  const png = parsePng(maskBytes(mask.mask_base64))
  if (typeof png === 'string') return report('error', 'broken mask', png)
  if (!png.complete) return report('error', 'broken mask', 'truncated PNG')
  const gray = decodeGray(png)
  if (!gray) return report('error', 'broken mask', 'cannot decode the PNG')
  const tight = tightBox(gray, png)
  if (!tight) return report('error', 'empty mask', `no pixel above ${FOREGROUND_ABOVE}`)
  const box = boxOf(mask.bbox)
  if (!box) report('warning', 'mask without a box')
  const crop = box !== null && isCrop(png, box)
  if (video && !crop && (png.width !== video.width || png.height !== video.height)) {
    const sizes = `mask ${png.width} × ${png.height}, last frame ${video.width} × ${video.height}`
    const sameShape = Math.abs(png.width / png.height - video.width / video.height) < 0.02
    if (sameShape) report('warning', 'mask size differs', `${sizes}; scaled to the frame`)
    else if (png.width === video.height && png.height === video.width)
      report('error', 'mask of the unrotated video', sizes)
    else report('error', 'mask size differs', sizes)
  }
  if (!box || crop) return
  if (box[2] > png.width || box[3] > png.height) return report('error', 'box outside mask', JSON.stringify(box))
  if (tight.some((side, k) => Math.abs(side - box[k]!) > 2)) {
    report('warning', 'box does not match mask', `${JSON.stringify(box)}, mask bounds ${JSON.stringify(tight)}`)
  }
  const off = (pairsOf(points) ?? []).filter(([y, x]) => {
    const column = Math.min(png.width - 1, Math.trunc((x * png.width) / 1000))
    const row = Math.min(png.height - 1, Math.trunc((y * png.height) / 1000))
    return !(gray[row * png.width + column]! > FOREGROUND_ABOVE)
  })
  if (off.length > 0) report('warning', 'points outside mask', JSON.stringify(off))
}

function checkWords({ annotation, evalTruth }: FoundClip, template: Template, report: Report): void {
  const asr = annotation.asr_result
  if (speechOf(template, annotation) === 'no transcript') report('warning', 'no transcript', 'moments are not scored')
  if (!asr?.text?.trim()) return
  if (template === '指令1') report('warning', 'speech in silent template', JSON.stringify(asr.text))
  const words = asr.words ?? []
  const usable = usableWords(words)
  if (usable.length < words.length) report('warning', 'words without times', `${words.length - usable.length}`)
  if (usable.some((word, i) => i > 0 && word.begin < usable[i - 1]!.begin)) report('warning', 'words out of order')
  const windows = slotWindows(template, annotation, evalTruth?.answer ?? [])
  if (windows.some(({ kind }) => kind === 'unresolved')) {
    report('warning', 'no time window', `cannot be derived from ${JSON.stringify(asr.text)}; moments are not scored`)
  }
  const said = directionsSpoken(asr.text)
  for (const slot of mergeSlots(template, annotation.object_space)) {
    if (slot.entries.length !== 2) continue
    const meant = directionsIn(annotation.object_space[slot.entries[1]!]!.name)
    const conflict = meant.size > 0 && said.size > 0 && [...meant].every((direction) => !said.has(direction))
    if (conflict) report('warning', 'direction not spoken', `${slot.name}: ${JSON.stringify(asr.text)}`)
  }
}
