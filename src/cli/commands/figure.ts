/** `sightline figure` */
import { extname } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { figure } from '../../library/figures.ts'
import type { FigureKind } from '../../report/figures/kinds.ts'
import type { FigureFormat } from '../../report/figures/draw/svg.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { checkWritable, writeOutput } from '../results/output-file.ts'
import { print } from '../terminal/output.ts'

interface FigureOptions extends StoredOptions {
  output?: string
  width?: number
  only?: string[]
  against?: string
  over?: string
  gap?: string
  dark?: boolean
  profile?: string
}

const FORMATS: Readonly<Record<string, FigureFormat>> = { '.svg': 'svg', '.pdf': 'pdf', '.png': 'png' }

export async function drawFigure(kind: FigureKind, runs: readonly string[], options: FigureOptions): Promise<void> {
  const output = options.output ?? `${kind}.svg`
  const format = output === '-' ? 'svg' : FORMATS[extname(output).toLowerCase()]
  if (format === undefined) {
    throw new UserError(`Unknown figure format: "${output}".`, {
      hint: 'Use a file name that ends in .svg, .pdf or .png.',
    })
  }
  if (output !== '-') await checkWritable(output)
  const { profile, only, against, over, gap } = options
  const ids = runs.length === 0 ? ['latest'] : runs
  const found = await figure(kind, ids, { ...(await storeOptions(options)), profile, only, against, over, gap })
  const { figureFile } = await import('../../report/figures/draw/svg.ts')
  const { DARK, LIGHT } = await import('../../report/figures/draw/theme.ts')
  const look = { theme: options.dark ? DARK : LIGHT, ...(options.width !== undefined && { width: options.width }) }
  const content = await figureFile(found, format, look)
  if (output === '-') print(String(content))
  else await writeOutput(output, content)
}
