/** `sightline vbench check` */
import { groupBy } from '../../../base/group.ts'
import { checkMatched } from '../../../suites/vbench/samples/check.ts'
import type { Issue, IssueKind } from '../../../suites/vbench/samples/match.ts'
import { EXIT } from '../../terminal/exit.ts'
import { bold, plain, print } from '../../terminal/output.ts'
import { matchedFrom, type VideoOptions } from './options.ts'
import { interrupted, progress } from '../../terminal/progress.ts'

const ISSUE_TITLES: Readonly<Record<IssueKind, string>> = {
  missing: 'missing',
  extra: 'not of the plan',
  ambiguous: 'ambiguous',
  colliding: 'colliding names',
  misnamed: 'misnamed',
  outside: 'links that leave the folder',
  unreadable: 'cannot be read',
  length: 'length',
  long: 'too long for VBench',
  manifest: 'manifest',
}
const SHOWN_ISSUES = 10
/** Worth a word, but nothing to mend before scoring. */
const HARMLESS: ReadonlySet<IssueKind> = new Set(['extra', 'colliding', 'outside'])

export async function check(options: VideoOptions & { all?: boolean }): Promise<void> {
  const { plan: planned, matched } = await matchedFrom(options)
  const looking = { signal: interrupted(), onVideo: progress('videos looked at') }
  const { videos, issues, shapes } = await checkMatched(options.videos, matched, looking)
  if (options.json) {
    print(JSON.stringify({ planned: planned.videos.length, found: videos.length, shapes, issues }, null, 1))
  } else {
    print(`${videos.length} of ${planned.videos.length} videos are there and can be read.`)
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
      // A name with a line break in it is shown as it would be quoted.
      print(plain(`  ${/[\n\r\t]/.test(file) ? JSON.stringify(file) : file}: ${words}`))
    }
    if (shown.length < list.length) print(`  … and ${list.length - shown.length} more; --all shows them`)
  }
  if (issues.length === 0) print('No problems found.')
}
