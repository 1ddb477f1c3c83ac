/** Menu of runs to compare with. */
import { Popover } from 'radix-ui'
import { Link } from 'wouter'
import type { RunRow } from '../../../../src/server/api.ts'
import { linkTo } from '../../navigation/routes.ts'
import { useLoaded } from '../../data/hooks.ts'
import { button } from '../../ui/button.ts'
import { formatAgo, formatValue } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { PopoverPanel } from '../../ui/popover.tsx'
import { WhenLoaded } from '../../ui/states.tsx'

/** Others can be selected on the leaderboard. */
const MAX_LISTED = 50

export function CompareWith({ run }: { run: RunRow }) {
  return (
    <Popover.Root>
      <Popover.Trigger className={button}>
        <Icon name="compare" />
        Compare with…
      </Popover.Trigger>
      <PopoverPanel label="Runs to compare with" className="w-96">
        <Others run={run} />
      </PopoverPanel>
    </Popover.Root>
  )
}

function Others({ run }: { run: RunRow }) {
  const runs = useLoaded('runs', (source) => source.runs())
  return (
    <WhenLoaded of={runs} what="runs">
      {(all) => {
        const others = comparableRuns(all, run)
        if (others.length === 0) return <p className="p-2 text-quiet">No other runs of {run.suite}</p>
        return (
          <ul className="min-h-0 overflow-y-auto">
            {others.slice(0, MAX_LISTED).map((other) => (
              <li key={other.id}>
                <Link
                  href={linkTo.compare(run.id, other.id)}
                  className="flex items-baseline gap-2 rounded px-2 py-1.5 hover:bg-ground"
                >
                  <span className="min-w-0 flex-1 truncate">
                    {other.player}
                    {other.suite !== run.suite && <span className="text-quiet"> on {other.suite}</span>}
                    {other.settings !== run.settings && <span className="text-quiet"> · different settings</span>}
                  </span>
                  <span className="tabular-nums">
                    {formatValue(other.headline?.value, other.headline?.unit ?? 'percent')}
                  </span>
                  <span className="w-20 text-right text-xs text-quiet">{formatAgo(other.created, Date.now())}</span>
                </Link>
              </li>
            ))}
          </ul>
        )
      }}
    </WhenLoaded>
  )
}

/** Runs of the same suite family: same settings first, then the same suite, then the rest. */
function comparableRuns(all: readonly RunRow[], run: RunRow): RunRow[] {
  const family = ({ suite }: RunRow): string => suite.split('/')[0]!
  const near = (other: RunRow): number => (other.settings === run.settings ? 0 : other.suite === run.suite ? 1 : 2)
  return all
    .filter((other) => other.id !== run.id && family(other) === family(run))
    .sort((a, b) => near(a) - near(b) || (a.created < b.created ? 1 : -1))
}
