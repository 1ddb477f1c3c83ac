import { Popover } from 'radix-ui'
import type { EpisodeLine } from '../../../src/store/records.ts'
import { button } from '../ui/button.ts'
import { Fact } from '../ui/fact.tsx'
import { humanize } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { PopoverPanel } from '../ui/popover.tsx'
import { formatNumber } from './format.ts'

/** Scores shown inline; suites list their main ones first. */
const MAX_INLINE = 3

/** The scores of an episode: the first few inline, all in a popover. */
export function Scores({ line }: { line: EpisodeLine }) {
  const scores = Object.entries(line.scores)
  if (scores.length === 0) return null
  const plain = scores.filter(([name]) => !name.includes('.'))
  return (
    <div className="flex items-start gap-4">
      <dl className="flex flex-wrap gap-x-4 text-[13px]">
        {(plain.length > 0 ? plain : scores).slice(0, MAX_INLINE).map(([name, value]) => (
          <Fact key={name} name={humanize(name)}>
            {formatNumber(value, 3)}
          </Fact>
        ))}
      </dl>
      {scores.length > MAX_INLINE && (
        <Popover.Root>
          <Popover.Trigger className={button}>
            All {scores.length} scores
            <Icon name="chevronDown" className="size-3.5" />
          </Popover.Trigger>
          <PopoverPanel label="All scores of this episode" align="end" className="w-80 overflow-y-auto p-3">
            <table className="w-full">
              <caption className="sr-only">All scores of this episode</caption>
              <tbody>
                {scores.map(([name, value]) => (
                  <tr key={name} className="border-b border-line last:border-0">
                    <th scope="row" className="py-1 pr-3 text-left font-normal text-quiet [overflow-wrap:anywhere]">
                      {humanize(name)}
                    </th>
                    <td className="py-1 text-right tabular-nums">{formatNumber(value, 4)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </PopoverPanel>
        </Popover.Root>
      )}
    </div>
  )
}
