/** A suite's custom panel: one script, read from the path the installed suite declares. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileErrorReason } from '../base/errors.ts'
import { notFound } from './http/problem.ts'
import type { RunEntry } from './run-entry.ts'

const SCRIPT = /\.m?js$/

/** Returns the panel's source. The path comes from the suite's code, never from the run. */
export async function panelSource(entry: RunEntry): Promise<string> {
  const panel = (await entry.suite())?.viewer.panel
  if (panel === undefined) throw notFound(`${entry.reader.header.suite} has no custom panel.`)
  if (panel.protocol !== 'file:' || !SCRIPT.test(panel.pathname)) {
    throw notFound(
      `The panel of ${entry.reader.header.suite} is not a JavaScript file.`,
      "Use viewer: { panel: new URL('./panel.js', import.meta.url) }",
    )
  }
  const file = fileURLToPath(panel)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw notFound(`Cannot read panel ${basename(file)}: ${fileErrorReason(error)}.`)
  }
}
