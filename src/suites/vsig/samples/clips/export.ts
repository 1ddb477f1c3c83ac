/** Writes built-in clips as a dataset in the published layout: folders, videos, annotations.json, eval_gt.json. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Annotation, EvalTruth } from '../../domain/annotation.ts'
import { encodeClip } from './encode.ts'
import { TEMPLATES, type Template } from '../../domain/templates.ts'
import { annotatedClip } from './annotate.ts'
import { ClipRenderer } from './draw.ts'
import { type ClipLanguages, languageOf } from './set.ts'
import { clipVoice } from './voice.ts'

export interface ExportOptions {
  seed: number
  clips: number
  language: ClipLanguages
  onClip?: (done: number, of: number) => void
}

/**
 * Videos have a sound track if this machine has a voice for the language. Clips are written one at a time to limit
 * memory.
 */
export async function writeClips(folder: string, { seed, clips, language, onClip }: ExportOptions): Promise<void> {
  const byTemplate = new Map<Template, { annotations: Annotation[]; truths: Record<string, EvalTruth> }>()
  for (let index = 0; index < clips; index++) {
    const { plan, annotation, evalTruth } = annotatedClip({
      seed,
      index,
      language: languageOf(index, language),
      level: 'medium',
    })
    const templateFolder = join(folder, plan.template)
    await mkdir(templateFolder, { recursive: true })
    const { bytes } = await encodeClip(new ClipRenderer(plan).film(), plan, await clipVoice(plan.language, 'text'))
    await writeFile(join(templateFolder, annotation.video_name!), bytes)
    const files = byTemplate.get(plan.template) ?? { annotations: [], truths: {} }
    files.annotations.push(annotation)
    files.truths[annotation.video_name!] = evalTruth
    byTemplate.set(plan.template, files)
    onClip?.(index + 1, clips)
  }
  for (const template of TEMPLATES) {
    const files = byTemplate.get(template)
    if (!files) continue
    await writeFile(join(folder, template, 'annotations.json'), JSON.stringify(files.annotations, null, 1))
    await writeFile(join(folder, template, 'eval_gt.json'), JSON.stringify(files.truths, null, 1))
  }
}
