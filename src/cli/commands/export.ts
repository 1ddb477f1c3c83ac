/** `sightline export` */
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UserError } from '../../base/errors.ts'
import { makeReport } from '../../engine/reporting.ts'
import { exportedFiles, type ExportFormat } from '../../report/export/index.ts'
import { redactPaths } from '../../server/share/redact-paths.ts'
import { writeSharedRun } from '../../server/share/write.ts'
import type { RunHeader } from '../../store/records.ts'
import type { RunReader } from '../../store/run-reader.ts'
import { explained } from '../../store/disk.ts'
import { Store } from '../../store/store.ts'
import { packageVersion } from '../../library/environment.ts'
import { type SuiteFinder, suiteFinder } from '../../library/suites.ts'
import { plural, say } from '../terminal/output.ts'
import { type StoredOptions, storeOptions } from '../options/stored.ts'
import { checkWritable, withOutputErrors } from '../results/output-file.ts'

interface ExportOptions extends StoredOptions {
  to?: ExportFormat | 'html'
  html?: boolean
  episode?: string
  output?: string
}

export async function exportRun(run: string, options: ExportOptions): Promise<void> {
  const { output, logDir, episode } = options
  const to = options.html ? 'html' : options.to
  if (to === undefined) {
    throw new UserError('Say in which format: --html for a folder with pages, or --to inspect, lmms-eval or csv.')
  }
  if (options.html && options.to !== undefined && options.to !== 'html') {
    throw new UserError(`--html and --to ${options.to} cannot both be meant.`)
  }
  if (episode !== undefined && to !== 'html')
    throw new UserError('--episode is for --html; other formats hold whole runs.')
  const store = await Store.open(logDir)
  const reader = await store.openRun(run)
  const finder = suiteFinder((await storeOptions(options)).suites)
  if (to === 'html') return share(store, finder, reader, output, episode)
  const report = await makeReport(reader, await finder.ofRun(reader))
  const rows = await reader.episodes()
  const header = forOthers(reader.header, store.dir)
  const files = exportedFiles({ header, rows, report, eventsOf: (line) => reader.events(line) }, to)
  const single = files.length === 1 && output !== undefined && /\.\w+$/.test(output)
  const folder = output ?? join(reader.dir, 'export')
  if (single) await checkWritable(output)
  else await explained(folder, () => mkdir(folder, { recursive: true }))
  for (const { name, chunks } of files) {
    const path = single ? output : join(folder, name)
    await explained(path, () => pipeline(Readable.from(chunks), createWriteStream(path)))
    say(`Written to ${path}.`)
  }
}

/** Logs are given away: where data lie on this machine is nobody else's business. */
function forOthers(header: RunHeader, storeDir: string): RunHeader {
  const shorten = redactPaths(storeDir, header.source)
  const options = JSON.parse(shorten(JSON.stringify(header.options))) as RunHeader['options']
  return { ...header, source: shorten(header.source), options }
}

/** A folder with the pages of a run, or of one episode, for others. */
async function share(
  store: Store,
  finder: SuiteFinder,
  reader: RunReader,
  output: string | undefined,
  episode: string | undefined,
): Promise<void> {
  const folder = output ?? `${reader.header.id}${episode === undefined ? '' : `_${episode}`}`
  const asked = episode === undefined ? {} : { episode: parseEpisode(episode) }
  const shared = await withOutputErrors(folder, () =>
    writeSharedRun({ store, finder, reader, folder, version: packageVersion(), ...asked }),
  )
  const { episodes, media, missing, scenes } = shared
  const parts = [plural(episodes, 'episode'), plural(media, 'picture, video or sound', 'pictures, videos and sounds')]
  if (scenes > 0) parts.push(plural(scenes, 'scene'))
  say(`Written to ${folder}: ${parts.join(', ')}. Open ${join(folder, 'index.html')}.`)
  if (missing > 0) say(`${missing} more are not in the store any more.`)
}

/** `12` is case 12, `12.3` its third repeat: as in the address of its page. */
function parseEpisode(text: string): { index: number; epoch: number } {
  const match = /^(\d{1,12})(?:[./](\d{1,12}))?$/.exec(text)
  if (!match) throw new UserError(`--episode is INDEX or INDEX.EPOCH, for example 12 or 12.1, not "${text}".`)
  return { index: Number(match[1]), epoch: Number(match[2] ?? 1) }
}
