/** `sightline vsig clips` */
import { readdir } from 'node:fs/promises'
import { codeOf, fileErrorReason, UserError } from '../../base/errors.ts'
import type { ClipLanguages } from '../../suites/vsig/samples/clips/set.ts'
import { plural } from '../../base/plural.ts'
import { print } from '../terminal/output.ts'
import { progress } from '../terminal/progress.ts'
import { withOutputErrors } from '../results/output-file.ts'

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

/** Clips of two seeds in one folder would be indistinguishable. */
async function checkEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw new UserError(`Cannot write to ${folder}: ${fileErrorReason(error)}.`, {
      hint: 'Choose another folder with -o.',
    })
  })
  if (found.length > 0) throw new UserError(`${folder} is not empty.`, { hint: 'Choose a new folder with -o.' })
}
