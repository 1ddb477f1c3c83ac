/** The panel that a suite brings along: one script, read from where the suite on this machine says it is. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileErrorReason } from '../base/errors.ts'
import { notFound } from './http/problem.ts'
import type { RunEntry } from './run-entry.ts'

const SCRIPT = /\.m?js$/

/** Its source. Which file that is comes from the suite's own code; a run only names the suite. */
export async function panelSource(entry: RunEntry): Promise<string> {
  const panel = (await entry.suite())?.viewer.panel
  if (panel === undefined) throw notFound(`${entry.reader.header.suite} has no panel of its own.`)
  if (panel.protocol !== 'file:' || !SCRIPT.test(panel.pathname)) {
    throw notFound(
      `The panel of ${entry.reader.header.suite} is not a JavaScript file.`,
      "Write: viewer: { panel: new URL('./panel.js', import.meta.url) }",
    )
  }
  const file = fileURLToPath(panel)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw notFound(`The panel ${basename(file)} cannot be read: ${fileErrorReason(error)}.`)
  }
}
