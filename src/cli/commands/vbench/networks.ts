/** `sightline vbench networks` */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf, messageOf, UserError } from '../../../base/errors.ts'
import { say } from '../../terminal/output.ts'
import { EXIT } from '../../terminal/exit.ts'

const SCRIPT = new URL('../../../../tools/vbench-export/export.py', import.meta.url)

export interface NetworkOptions {
  published: string
  python: string
  checkpoints?: string
  download?: boolean
  dino?: string
  dinov2?: string
  role?: string[]
  fp16?: boolean
  randomWeights?: boolean
  output: string
}

/** Runs the export in the user's environment; it prints each network with its largest error. */
export async function networks(options: NetworkOptions): Promise<void> {
  const { published, python, checkpoints, download, dino, dinov2, role = [], fp16, randomWeights, output } = options
  const args = [
    fileURLToPath(SCRIPT),
    '--published',
    resolve(published),
    '--out',
    resolve(output),
    ...(checkpoints === undefined ? [] : ['--checkpoints', resolve(checkpoints)]),
    ...(download ? ['--download'] : []),
    ...(dino === undefined ? [] : ['--dino', resolve(dino)]),
    ...(dinov2 === undefined ? [] : ['--dinov2', resolve(dinov2)]),
    ...role.flatMap((each) => ['--role', each]),
    ...(fp16 ? ['--fp16'] : []),
    ...(randomWeights ? ['--random-weights'] : []),
  ]
  // Warnings of exporters are many and say nothing to a user.
  const child = spawn(python, ['-W', 'ignore', ...args], { stdio: 'inherit' })
  const code = await new Promise<number | null>((done, fail) => {
    child.on('error', (error) =>
      fail(
        new UserError(codeOf(error) === 'ENOENT' ? `${python} was not found.` : `${python}: ${messageOf(error)}`, {
          hint: 'Give the Python of the environment in which the published evaluator runs with --python.',
          cause: error,
        }),
      ),
    )
    child.on('close', done)
  })
  if (code === 0) say(`Use them with: sightline vbench score --models ${output}`)
  else process.exitCode = EXIT.usage
}
