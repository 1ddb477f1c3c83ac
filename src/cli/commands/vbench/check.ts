/** `sightline vbench check` */
import { groupBy } from '../../../base/group.ts'
import { checkMatched } from '../../../suites/vbench/samples/check.ts'
import type { Issue, IssueKind } from '../../../suites/vbench/samples/match.ts'
import { EXIT } from '../../terminal/exit.ts'
import { plural } from '../../../base/plural.ts'
import { bold, print } from '../../terminal/output.ts'
import { printableLines } from '../../../base/printable.ts'
import { matchedFrom, type VideoOptions } from './options.ts'
import { interrupted, progress } from '../../terminal/progress.ts'

const ISSUE_TITLES: Readonly<Record<IssueKind, string>> = {
  missing: 'missing',
  extra: 'not in the plan',
  ambiguous: 'ambiguous',
  colliding: 'colliding names',
  misnamed: 'misnamed',
  outside: 'links out of the folder',
  unreadable: 'unreadable',
  length: 'length',
  identical: 'identical videos',
  long: 'of the wrong length for this pipeline',
  manifest: 'manifest',
}
const SHOWN_ISSUES = 10
/** Reported, but no reason to stop before scoring. */
const HARMLESS: ReadonlySet<IssueKind> = new Set(['extra', 'colliding', 'outside'])

export async function check(options: VideoOptions & { all?: boolean }): Promise<void> {
  const { plan: planned, matched } = await matchedFrom(options)
  const hooks = { signal: interrupted(), onVideo: progress('videos checked'), long: options.long === true }
  const { videos, issues, shapes } = await checkMatched(options.videos, matched, hooks)
  if (options.json) {
    print(JSON.stringify({ planned: planned.videos.length, found: videos.length, shapes, issues }, null, 1))
  } else {
    print(`${videos.length} of ${plural(planned.videos.length, 'planned video')} found and readable.`)
    for (const { shape, videos: count } of shapes) print(`  ${count} × ${shape}`)
    printIssues(issues, options.all === true)
  }
  if (issues.some(({ kind }) => !HARMLESS.has(kind))) process.exitCode = EXIT.episodeErrors
}

function printIssues(issues: readonly Issue[], all: boolean): void {
  for (const [kind, list] of groupBy(issues, (issue) => issue.kind)) {
    print(`\n${bold(ISSUE_TITLES[kind])} (${list.length})`)
    const shown = all ? list : list.slice(0, SHOWN_ISSUES)
    for (const { file, words } of shown) {
      // A name with a line break is printed quoted.
      print(printableLines(`  ${/[\n\r\t]/.test(file) ? JSON.stringify(file) : file}: ${words}`))
    }
    if (shown.length < list.length) print(`  … and ${list.length - shown.length} more; use --all to show them`)
  }
  if (issues.length === 0) print('No problems found.')
}
