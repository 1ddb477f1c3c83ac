import { Popover } from 'radix-ui'
import type { EpisodeDetail } from '../../../src/server/api.ts'
import { button } from '../ui/button.ts'
import { Fact } from '../ui/fact.tsx'
import { formatMetric, metricTitle } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { PopoverPanel } from '../ui/popover.tsx'

/** Scores shown inline. */
const MAX_INLINE = 3

type Scored = Pick<EpisodeDetail, 'line' | 'metrics'>

/** The scores of an episode: the first few inline, all in a popover. */
export function Scores({ episode }: { episode: Scored }) {
  const names = scoreNames(episode)
  return (
    <div className="flex items-start gap-4">
      <MainScores episode={episode} />
      {names.length > MAX_INLINE && (
        <Popover.Root>
          <Popover.Trigger className={button}>
            All {names.length} scores
            <Icon name="chevronDown" className="size-3.5" />
          </Popover.Trigger>
          <PopoverPanel label="All scores of this episode" align="end" className="w-80 overflow-y-auto p-3">
            <table className="w-full">
              <caption className="sr-only">All scores of this episode</caption>
              <tbody>
                {names.map((name) => (
                  <tr key={name} className="border-b border-line last:border-0">
                    <th
                      scope="row"
                      title={name}
                      className="py-1 pr-3 text-left font-normal text-quiet [overflow-wrap:anywhere]"
                    >
                      {metricTitle(name, episode.metrics)}
                    </th>
                    <td className="py-1 text-right tabular-nums">
                      {formatMetric(episode.line.scores[name], name, episode.metrics)}
                    </td>
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

/** The first few scores of an episode. */
export function MainScores({ episode }: { episode: Scored }) {
  return (
    <dl className="flex flex-wrap gap-x-4 text-[13px]">
      {inlineNames(scoreNames(episode)).map((name) => (
        <Fact key={name} name={metricTitle(name, episode.metrics)}>
          {formatMetric(episode.line.scores[name], name, episode.metrics)}
        </Fact>
      ))}
    </dl>
  )
}

/** The main score first, as the server sends the metrics; those that the suite does not describe last. */
function scoreNames({ line, metrics }: Scored): string[] {
  return [...new Set([...Object.keys(metrics), ...Object.keys(line.scores)])].filter((name) => name in line.scores)
}

/** Names with a dot are details of others. */
function inlineNames(names: readonly string[]): readonly string[] {
  const plain = names.filter((name) => !name.includes('.'))
  return (plain.length > 0 ? plain : names).slice(0, MAX_INLINE)
}
