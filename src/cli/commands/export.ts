/** `sightline export` */
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeReport } from '../../engine/reporting.ts'
import { exportedFiles, type ExportFormat } from '../../report/export/index.ts'
import { Store } from '../../store/store.ts'
import { suiteOf } from '../../suites/suite-of.ts'
import { say } from '../output.ts'

interface ExportOptions {
  to: ExportFormat
  output?: string
  logDir: string
}

export async function exportRun(run: string, { to, output, logDir }: ExportOptions): Promise<void> {
  const reader = await (await Store.open(logDir)).openRun(run)
  const report = await makeReport(reader, await suiteOf(reader))
  const rows = await reader.episodes()
  const files = exportedFiles({ header: reader.header, rows, report, eventsOf: (line) => reader.events(line) }, to)
  const single = files.length === 1 && output !== undefined && /\.\w+$/.test(output)
  const folder = output ?? join(reader.dir, 'export')
  if (!single) await mkdir(folder, { recursive: true })
  for (const { name, chunks } of files) {
    const path = single ? output : join(folder, name)
    await pipeline(Readable.from(chunks), createWriteStream(path))
    say(`Written to ${path}.`)
  }
}
