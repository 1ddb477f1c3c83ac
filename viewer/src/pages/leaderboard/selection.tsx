/** Selection of runs to compare: two sample by sample, any number on the samples they share. */
import { useLocation } from 'wouter'
import type { RunRow } from '../../../../src/server/api.ts'
import { useQuery } from '../../navigation/query.ts'
import { linkTo } from '../../navigation/routes.ts'
import { button, primaryButton, quietButton } from '../../ui/button.ts'
import { Icon } from '../../ui/icon.tsx'

export function useSelection(): { picks: readonly string[]; toggle: (id: string) => void; clear: () => void } {
  const query = useQuery()
  const picks = query.all('pick')
  const toggle = (id: string): void =>
    query.set({ pick: picks.includes(id) ? picks.filter((each) => each !== id) : [...picks, id] })
  return { picks, toggle, clear: () => query.set({ pick: null }) }
}

export function SelectionBar({ runs }: { runs: readonly RunRow[] }) {
  const { picks, clear } = useSelection()
  const [, goTo] = useLocation()
  const chosen = picks.flatMap((id) => runs.find((run) => run.id === id) ?? [])
  const [a, b] = chosen
  if (!a) return null
  const isOneFamily = chosen.every((run) => familyOf(run) === familyOf(a))
  const isPair = chosen.length === 2
  return (
    <section
      aria-label="Runs to compare"
      className="sticky bottom-3 z-20 mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-paper px-4 py-2.5 shadow-lg"
    >
      {chosen.length > 2 ? (
        <span>{chosen.length} runs</span>
      ) : (
        <>
          <SelectedRun letter="A" look="bg-first" run={a} />
          {b ? (
            <SelectedRun letter="B" look="bg-second" run={b} />
          ) : (
            <span className="text-quiet">Select another run to compare.</span>
          )}
        </>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {!isOneFamily && <span className="text-[13px] text-warn">Runs of different suites cannot be compared</span>}
        <button type="button" className={quietButton} onClick={clear}>
          Clear
        </button>
        {b && (
          <button
            type="button"
            className={isPair ? button : primaryButton}
            disabled={!isOneFamily}
            onClick={() => goTo(linkTo.shared(picks))}
          >
            Shared samples
          </button>
        )}
        {chosen.length <= 2 && (
          <button
            type="button"
            className={primaryButton}
            disabled={!isPair || !isOneFamily}
            onClick={() => b && goTo(linkTo.compare(a.id, b.id))}
          >
            <Icon name="compare" />
            Compare
          </button>
        )}
      </span>
    </section>
  )
}

function SelectedRun({ letter, look, run }: { letter: string; look: string; run: RunRow }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <span
        className={`inline-flex size-5 shrink-0 items-center justify-center rounded text-xs font-semibold text-paper ${look}`}
      >
        {letter}
      </span>
      <span className="truncate">
        {run.player} <span className="text-quiet">in {run.suite}</span>
      </span>
    </span>
  )
}

/** Suites of one family may share samples; the server decides. */
function familyOf({ suite }: RunRow): string {
  return suite.split('/')[0]!
}
