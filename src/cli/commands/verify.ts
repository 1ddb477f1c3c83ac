/** `sightline verify`: compares what a run recorded with its hashes. */
import { printable } from '../../base/printable.ts'
import { plural } from '../../base/plural.ts'
import { verify as verifyRun } from '../../library/results.ts'
import { EXIT } from '../terminal/exit.ts'
import { print } from '../terminal/output.ts'

/** Episodes and files named for each kind of damage; `--json` has all. */
const MAX_NAMED = 10

export async function verify(run: string, { logDir, json }: { logDir: string; json?: boolean }): Promise<void> {
  const found = await verifyRun(run, { store: logDir })
  const { events, media } = found
  if (events.damaged.length + media.damaged.length + media.missing.length > 0) process.exitCode = EXIT.episodeErrors
  if (json) {
    print(JSON.stringify(found, null, 2))
    return
  }
  print(`${found.run}: events of ${plural(events.intact, 'episode')} and ${plural(media.intact, 'media file')} intact.`)
  if (events.unknown > 0)
    print(`${plural(events.unknown, 'episode')} recorded without a hash, by a version before 0.3, cannot be checked.`)
  const list = (names: readonly string[], words: string): void => {
    if (names.length === 0) return
    print(`${words}:`)
    for (const name of names.slice(0, MAX_NAMED)) print(`  ${printable(name)}`)
    if (names.length > MAX_NAMED) print(`  and ${names.length - MAX_NAMED} more`)
  }
  list(events.damaged, `Events changed after they were recorded (${plural(events.damaged.length, 'episode')})`)
  list(media.damaged, `Media files changed (${media.damaged.length})`)
  list(media.missing, `Media files missing (${media.missing.length})`)
}
