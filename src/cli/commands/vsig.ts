/** `sightline vsig clips` */
import type { ClipLanguages } from '../../suites/vsig/samples/clips/set.ts'
import { plural } from '../../base/plural.ts'
import { print } from '../terminal/output.ts'
import { progress } from '../terminal/progress.ts'
import { checkEmpty, withOutputErrors } from '../results/output-file.ts'

interface ClipsOptions {
  output: string
  seed: number
  clips: number
  language: ClipLanguages
}

export async function clips({ output, ...options }: ClipsOptions): Promise<void> {
  await checkEmpty(output)
  const { writeClips } = await import('../../suites/vsig/samples/clips/export.ts')
  await withOutputErrors(output, () => writeClips(output, { ...options, onClip: progress('clips') }))
  print(`Wrote ${plural(options.clips, 'clip')} to ${output}. Run them with --source vsig:${output}`)
}
