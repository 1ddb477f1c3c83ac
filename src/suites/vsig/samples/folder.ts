/** Reads clips in the published layout from a folder. Checks them before the run, and keeps people's names out of logs. */
import { resolve } from 'node:path'
import { defineSource, hashOf, plural, type SourceRequest, UserError, z } from '../../../suite.ts'
import { asksForLetters } from '../domain/profiles.ts'
import { speechOf } from '../domain/windows.ts'
import type { VsigOptions } from '../options.ts'
import { checkPublishedOptions } from '../prompts/published.ts'
import { type Defect, defectList } from './folder/defects.ts'
import { scanFolder } from './folder/scan.ts'
import { type CheckedClip, validateClip } from './folder/validate.ts'
import { clipId, sampleOf, uniqueId, type VsigSample } from './sample.ts'

export interface CheckedFolder {
  samples: VsigSample[]
  /** Paths of the videos, by the names samples use. */
  roots: Record<string, string>
  defects: Defect[]
  hash: string
  /** Number of skipped clips that the annotators rejected. */
  rejected: number
}

/** Reads and checks a folder. A clip that cannot be scored carries its problem and ends as a missing asset. */
export async function checkFolder(
  root: string,
  { invalid, profile }: { invalid: boolean; profile: string },
): Promise<CheckedFolder> {
  const folder = resolve(root)
  const { clips, defects, hash } = await scanFolder(folder)
  const all = [...defects]
  const samples: VsigSample[] = []
  const roots: Record<string, string> = {}
  const ids = new Set<string>()
  const seen = new Map<string, string>()
  let rejected = 0
  for (const clip of clips) {
    if (clip.annotation.is_invalid === true && !invalid) {
      rejected += 1
      continue
    }
    const checked = await validateClip(clip)
    const { template } = checked
    if (asksForLetters(profile) && !clip.evalTruth?.answer?.length) {
      checked.defects.push({
        severity: 'error',
        kind: 'no options',
        where: clip.where,
        detail: `profile ${profile} requires eval_gt.json`,
      })
    }
    const named = clipId(clip.dataset, template, clip.annotation, clip.where)
    const content = hashOf([clip.video, clip.annotation])
    if (seen.get(content) === named) {
      all.push({ severity: 'warning', kind: 'repeated entry', where: clip.where, detail: 'only the first is used' })
      continue
    }
    seen.set(content, named)
    const id = uniqueId(named, ids)
    if (id !== named) {
      all.push({ severity: 'warning', kind: 'duplicate id', where: clip.where, detail: `played as ${id}` })
    }
    ids.add(id)
    all.push(...checked.defects)
    const source = `vsig/${hash}`
    samples.push(checkedSample(id, source, checked))
    if (clip.video !== null) roots[`${source}/${id}`] = clip.video
  }
  return { samples, roots, defects: all, hash, rejected }
}

function checkedSample(id: string, source: string, { clip, template, frame, defects }: CheckedClip): VsigSample {
  const errors = defects.filter(({ severity }) => severity === 'error')
  const sample = sampleOf(
    id,
    clip.dataset,
    template ?? '指令1',
    clip.annotation,
    clip.evalTruth,
    // A video that cannot be opened is never shown, so any size works.
    frame ? { width: frame.width, height: frame.height } : { width: 1, height: 1 },
    { kind: 'file', source, file: id },
  )
  if (errors.length === 0) return sample
  return {
    ...sample,
    problem: errors.map(({ kind, detail }) => `${kind}${detail === '' ? '' : `, ${detail}`}`).join('; '),
  }
}

const args = z.object({ path: z.string().describe('folder with one or more datasets') })

export const folder = defineSource({
  title: 'clips in the published layout: datasets with 指令1 … 指令6, annotations.json and videos',
  usage: 'vsig:/path',
  dataset: {
    name: 'vsig',
    from: {
      page: 'https://github.com/jetteezhou/VSIG-bench',
      steps: 'Ask its authors for the clips, and keep their folders (指令1 … 指令6) as they are:',
    },
  },
  args,
  async open({ args: { path }, options, profile }: SourceRequest<VsigOptions, z.output<typeof args>>) {
    checkPublishedOptions(options, profile)
    if (options.input === 'video' && options.speech === 'none') {
      throw new UserError('Cannot use speech=none with input=video: these videos have sound.', {
        hint: 'Use -T input=frames or -T speech=audio.',
      })
    }
    const { samples, defects, hash, rejected, roots } = await checkFolder(path, { invalid: options.invalid, profile })
    const errors = defects.filter(({ severity }) => severity === 'error').length
    if (options.defects === 'list' || (errors > 0 && options.defects === 'stop')) {
      const list = defects.length === 0 ? '.' : `:\n${defectList(defects)}\n`
      const skipped = rejected === 0 ? '' : `, plus ${rejected} rejected by the annotators`
      throw new UserError(
        `${path} has ${plural(errors, 'error')} and ${plural(defects.length - errors, 'warning')}${list} Found ${plural(samples.length, 'clip')}${skipped}.`,
        {
          hint:
            errors > 0
              ? 'Fix the errors, or skip these clips with -T defects=leave-out; they are then reported as missing.'
              : 'No errors: run without -T defects=list.',
        },
      )
    }
    if (samples.length === 0) throw new UserError(`No clips to play in ${path}.`)
    return {
      fingerprint: `vsig/${hash}/${options.invalid}`,
      count: samples.length,
      notes: notesOn(samples, defects, options),
      roots,
      samples: () => samples,
    }
  },
})

/** What the user should know about the data before the run starts. */
function notesOn(samples: readonly VsigSample[], defects: readonly Defect[], { speech }: VsigOptions): string[] {
  const notes: string[] = []
  const unheard = samples.filter(({ template, annotation }) => speechOf(template, annotation) === 'no transcript')
  if (unheard.length > 0 && speech === 'text') {
    const count = `${unheard.length} of ${plural(samples.length, 'clip')}`
    notes.push(
      `${count} with speech have no transcript. Without a transcriber (--model-role transcriber=MODEL) the model is told ` +
        'so, and their moments are not scored. To let the model hear the speech itself, use -T input=video -T speech=audio.',
    )
  }
  const renamed = defects.filter(({ kind }) => kind === 'duplicate id').length
  if (renamed > 0) {
    notes.push(`${plural(renamed, 'clip')} with the id of another clip got a new id; see -T defects=list.`)
  }
  const repeated = defects.filter(({ kind }) => kind === 'repeated entry').length
  if (repeated > 0) notes.push(`${plural(repeated, 'annotation')} occurred before and were skipped.`)
  return notes
}
