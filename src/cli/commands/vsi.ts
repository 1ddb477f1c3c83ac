/** `sightline vsi dataset` */
import { plural } from '../../base/plural.ts'
import type { DatasetOptions } from '../../suites/vsi/samples/export.ts'
import { print } from '../terminal/output.ts'
import { progress } from '../terminal/progress.ts'
import { checkEmpty, withOutputErrors } from '../results/output-file.ts'

export async function dataset({ output, ...options }: DatasetOptions & { output: string }): Promise<void> {
  await checkEmpty(output)
  const { writeDataset } = await import('../../suites/vsi/samples/export.ts')
  const count = await withOutputErrors(output, () => writeDataset(output, { ...options, onScene: progress('scenes') }))
  print(`Wrote ${plural(count, 'question')} to ${output}. Run them with --source vsi-bench:${output}`)
}
