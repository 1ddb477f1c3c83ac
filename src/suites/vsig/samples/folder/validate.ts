/** Looks at everything that a score will rest on, before anything is asked. Names what is wrong; never throws for it. */
import { messageOf, openVideo } from '../../../../suite.ts'
import { directionsIn, directionsSpoken } from '../../domain/intent.ts'
import { boxOf, FOREGROUND_ABOVE, hasMask, isCrop, maskBytes, type Size, tightBox } from '../../domain/mask.ts'
import { decodeGray, parsePng } from '../../domain/mask-png.ts'
import { pairsOf } from '../../domain/points.ts'
import { isTemplate, mergeSlots, SHAPES, type Template } from '../../domain/templates.ts'
import { slotWindows, usableWords } from '../../domain/windows.ts'
import type { Defect } from './defects.ts'
import type { FoundClip } from './scan.ts'

export interface CheckedClip {
  clip: FoundClip
  template: Template | null
  /** Size of the last frame, upright; null when there is none. */
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
  const named = annotation.task_template
  if (!isTemplate(named)) {
    if (isTemplate(folderTemplate)) {
      report('warning', 'no template', `${JSON.stringify(named ?? null)}; its folder says ${folderTemplate}`)
      return folderTemplate
    }
    report('error', 'unknown template', JSON.stringify(named ?? null))
    return null
  }
  if (folderTemplate !== null && folderTemplate !== named) {
    report('warning', 'template of another folder', `${named} in ${folderTemplate}`)
  }
  return named
}

interface CheckedVideo extends Size {
  rotation: number
}

async function checkVideo({ annotation, video: path }: FoundClip, report: Report): Promise<CheckedVideo | null> {
  if (path === null) {
    report('error', 'no video', annotation.video_name ? `${annotation.video_name} is not there` : 'no name')
    return null
  }
  try {
    const video = await openVideo(path)
    try {
      const { width, height, frames, rotation } = video.info
      if (frames === 0) {
        report('error', 'video without a last frame', 'it has no frame')
        return null
      }
      let last = 0
      for await (const { bitmap } of video.frames([frames - 1])) last = bitmap.data.length
      if (last === 0) report('error', 'video without a last frame', `frame ${frames - 1} cannot be decoded`)
      if (rotation !== 0) report('warning', 'rotated video', `by ${rotation}°; shown upright as ${width} × ${height}`)
      return { width, height, rotation }
    } finally {
      await video.close()
    }
  } catch (error) {
    report('error', 'video without a last frame', messageOf(error).replaceAll(path, annotation.video_name ?? 'video'))
    return null
  }
}

function checkEntries({ annotation }: FoundClip, template: Template, video: CheckedVideo | null, report: Report): void {
  const { entries: pattern, slots } = SHAPES[template]
  const { object_space: entries } = annotation
  if (entries.length < pattern.length) {
    report('error', 'too few entries', `${entries.length} of ${pattern.length} for ${template}`)
    return
  }
  if (entries.length > pattern.length) report('warning', 'surplus entries', `${entries.length}, ${pattern.length} used`)
  const scored = new Set(slots.map(({ entry }) => entry))
  for (let i = 0; i < pattern.length; i++) {
    const entry = entries[i]!
    const isObject = pattern[i] === 'o'
    const reportEntry: Report = (severity, kind, detail = '') =>
      // A reference object is never scored: what is wrong with its mask does no harm.
      report(scored.has(i) ? severity : 'warning', kind, `entry ${i + 1}${detail === '' ? '' : `: ${detail}`}`)
    if (entry.type !== (isObject ? 'object' : 'space')) {
      reportEntry(
        'warning',
        'entry of another type',
        `${JSON.stringify(entry.type)} where ${isObject ? 'object' : 'space'} is due`,
      )
    }
    if (entry.name.trim() === '') reportEntry('warning', 'entry without a name')
    const points = pairsOf(entry.points)
    if (!points && !isObject) reportEntry('error', 'area without points')
    if (points?.some(([y, x]) => !(y >= 0 && y <= 1000 && x >= 0 && x <= 1000))) {
      reportEntry(isObject ? 'warning' : 'error', 'points outside of 0…1000')
    }
    if (isObject) checkMask(entry, video, reportEntry)
  }
}

function checkMask(
  { mask, points }: FoundClip['annotation']['object_space'][number],
  video: CheckedVideo | null,
  say: Report,
): void {
  if (!hasMask(mask)) {
    if (pairsOf(points)) say('warning', 'object without a mask', 'it will be scored by distance')
    else say('error', 'object without mask and points')
    return
  }
  const png = parsePng(maskBytes(mask.mask_base64))
  if (typeof png === 'string') return say('error', 'broken mask', png)
  if (!png.complete) return say('error', 'broken mask', 'PNG cut off')
  const grey = decodeGray(png)
  if (!grey) return say('error', 'broken mask', 'its picture cannot be decoded')
  const tight = tightBox(grey, png)
  if (!tight) return say('error', 'empty mask', `no pixel above ${FOREGROUND_ABOVE}`)
  const box = boxOf(mask.bbox)
  if (!box) say('warning', 'mask without a box')
  const crop = box !== null && isCrop(png, box)
  if (video && !crop && (png.width !== video.width || png.height !== video.height)) {
    const sizes = `mask ${png.width} × ${png.height}, last frame ${video.width} × ${video.height}`
    const sameShape = Math.abs(png.width / png.height - video.width / video.height) < 0.02
    if (sameShape) say('warning', 'mask of another size', `${sizes}; read in its own size`)
    else if (png.width === video.height && png.height === video.width)
      say('error', 'mask of the unrotated video', sizes)
    else say('error', 'mask of another size', sizes)
  }
  if (!box || crop) return
  if (box[2] > png.width || box[3] > png.height) return say('error', 'box outside of its mask', JSON.stringify(box))
  if (tight.some((side, k) => Math.abs(side - box[k]!) > 2)) {
    say('warning', 'box does not fit its mask', `${JSON.stringify(box)}, the mask reaches ${JSON.stringify(tight)}`)
  }
  const off = (pairsOf(points) ?? []).filter(([y, x]) => {
    const column = Math.min(png.width - 1, Math.trunc((x * png.width) / 1000))
    const row = Math.min(png.height - 1, Math.trunc((y * png.height) / 1000))
    return !(grey[row * png.width + column]! > FOREGROUND_ABOVE)
  })
  if (off.length > 0) say('warning', 'points off their mask', JSON.stringify(off))
}

function checkWords({ annotation, evalTruth }: FoundClip, template: Template, report: Report): void {
  const asr = annotation.asr_result
  if (!asr?.text) return
  if (template === '指令1') report('warning', 'words in the silent template', JSON.stringify(asr.text))
  const words = asr.words ?? []
  const usable = usableWords(words)
  if (usable.length < words.length) report('warning', 'words without times', `${words.length - usable.length}`)
  if (usable.some((word, i) => i > 0 && word.begin < usable[i - 1]!.begin)) report('warning', 'words out of order')
  const windows = slotWindows(template, annotation, evalTruth?.answer ?? [])
  if (windows.some(({ kind }) => kind === 'unresolved')) {
    report('warning', 'words do not tell when', `${JSON.stringify(asr.text)}; its moments are left out and counted`)
  }
  const said = directionsSpoken(asr.text)
  for (const slot of mergeSlots(template, annotation.object_space)) {
    if (slot.entries.length !== 2) continue
    const meant = directionsIn(annotation.object_space[slot.entries[1]!]!.name)
    const conflict = meant.size > 0 && said.size > 0 && [...meant].every((direction) => !said.has(direction))
    if (conflict) report('warning', 'direction was not said', `${slot.name}: ${JSON.stringify(asr.text)}`)
  }
}
