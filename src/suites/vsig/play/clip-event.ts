/** Builds the `vsig/clip` event. */
import type { Episode } from '../../../suite.ts'
import type { VsigSample } from '../samples/sample.ts'
import type { Entry, EntryMask } from '../domain/annotation.ts'
import { AREA_UNITS } from '../domain/compare.ts'
import { outlineOf } from '../domain/mask-outline.ts'
import { boxOf, maskBytes, targetOf } from '../domain/mask.ts'
import { meanOf, pairsOf, type Point } from '../domain/points.ts'
import { canonicalCommand, SHAPES } from '../domain/templates.ts'
import { truthOf } from '../domain/truth.ts'
import { usableWords } from '../domain/windows.ts'
import type { ClipEvent, Mask } from '../events.ts'
import type { OpenClip } from './clip.ts'

async function keepMask(
  mask: EntryMask | null | undefined,
  sample: VsigSample,
  episode: Episode,
): Promise<Mask | null> {
  const target = targetOf(mask, sample.frame)
  const outline = outlineOf(target)
  if (target.kind === 'broken' || !outline) return null
  const { width, height } = target.png
  const provenance = { made: 'mask', sample: sample.id }
  const { sha256 } = await episode.keep(maskBytes(mask?.mask_base64), 'image/png', provenance, { width, height })
  return { media: sha256, box: boxOf(mask?.bbox), frame: outline.frame, offset: outline.offset, path: outline.fill }
}

/** x first, 0…1000. */
function pointsOf({ points }: Entry): Point[] {
  return (pairsOf(points) ?? []).map(([y, x]): Point => [x, y])
}

export async function clipEvent(
  sample: VsigSample,
  episode: Episode,
  clip: Pick<OpenClip, 'width' | 'height' | 'frames' | 'fps' | 'durationMs'>,
  shown: { lastFrame: string | null; video: string | null },
): Promise<ClipEvent> {
  const { annotation, template, language } = sample
  const truth = truthOf(template, annotation, sample.evalTruth, sample.frame)
  const { slots: shape } = SHAPES[template]
  const slots: ClipEvent['slots'] = []
  for (const [i, slot] of truth.slots.entries()) {
    const entry = annotation.object_space[shape[i]!.entry]!
    slots.push({
      name: slot.name,
      kind: slot.kind,
      points: slot.points,
      mask: await keepMask(slot.kind === 'object' ? entry.mask : entry.region, sample, episode),
      area: slot.kind === 'area' && slot.points.length > 0 ? { center: meanOf(slot.points), radius: AREA_UNITS } : null,
      window: slot.window.kind === 'window' ? slot.window.window : null,
      unmeasured: slot.window.kind === 'window' ? null : slot.window.kind,
    })
  }
  const references: ClipEvent['references'] = []
  for (const { reference } of shape) {
    const entry = reference === undefined ? undefined : annotation.object_space[reference]
    if (entry)
      references.push({ name: entry.name, points: pointsOf(entry), mask: await keepMask(entry.mask, sample, episode) })
  }
  const names = truth.slots.map(({ name }) => name)
  return {
    type: 'vsig/clip',
    template: sample.labels.template,
    language,
    ...shown,
    frame: { width: clip.width, height: clip.height },
    frames: clip.frames,
    fps: clip.fps,
    durationMs: clip.durationMs,
    said: annotation.asr_result?.text ?? null,
    words: usableWords(annotation.asr_result?.words ?? []),
    meant: canonicalCommand(template, names),
    slots,
    references,
  }
}
