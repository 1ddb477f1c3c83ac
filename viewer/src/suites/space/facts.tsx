/** What the turn did, in words beside the map. */
import { useSource } from '../../data/use.ts'
import { Fact } from '../../ui/fact.tsx'
import { formatValue } from '../../ui/format.ts'
import { CHANGED } from './marks.tsx'
import { headingWord, meanError, type SpaceState } from './state.ts'

export function Facts({ state }: { state: SpaceState }) {
  const { turn, pose, map, beliefs, phase, changes, fog, picture } = state
  const event = turn?.event
  const error = meanError(beliefs)
  return (
    <div className="flex flex-col gap-3 text-[13px]">
      <section>
        <h3 className="font-medium">
          {phase === 'exploration' ? 'Exploration' : 'After the changes'}
          {event ? `, turn ${event.turn}` : ', before the first turn'}
        </h3>
        <p className="text-quiet">
          at {pose.pos.join(', ')}, looks {headingWord(pose.heading)}
        </p>
        {event && (
          <ul className="mt-1.5 flex flex-col gap-1">
            {event.actions.map(({ action, text, ok }, i) => (
              <li key={i} title={text.slice(0, 1000)}>
                <code className={`font-mono text-xs ${ok ? '' : 'text-bad line-through'}`}>{action.slice(0, 200)}</code>
                {!ok && <span className="block text-xs text-bad">{text.slice(0, 200)}</span>}
              </li>
            ))}
          </ul>
        )}
        {event?.problem && <p className="mt-1 text-xs text-warn">{event.problem.slice(0, 300)}</p>}
        {event?.reported && <p className="mt-1 text-xs">reports: {event.reported.slice(0, 300)}</p>}
      </section>
      {picture && <Seen picture={picture} />}
      {event?.visible && (
        <section>
          <h4 className="text-xs text-quiet">in view</h4>
          <p>{event.visible.length === 0 ? 'nothing' : event.visible.join(', ')}</p>
        </section>
      )}
      {event && (
        <dl className="flex flex-wrap gap-x-4 gap-y-1">
          <Fact name="cost">{event.cost}</Fact>
          <Fact name="seen">{formatValue(event.coverage, 'percent')}</Fact>
          <Fact name="information">{formatValue(event.information, 'percent')}</Fact>
        </dl>
      )}
      {map && (
        <section>
          <h4 className="text-xs text-belief">believed map{map.map === null ? ': none could be read' : ''}</h4>
          {error !== null && (
            <p className="tabular-nums">
              {error.toFixed(1)} cells off on average, {beliefs.length} things
            </p>
          )}
          {map.scores && (
            <p className="text-xs text-quiet tabular-nums">
              position {formatValue(map.scores.position, 'percent')} · facing{' '}
              {formatValue(map.scores.facing, 'percent')} · direction {formatValue(map.scores.direction, 'percent')}
            </p>
          )}
        </section>
      )}
      {fog && (
        <section>
          <h4 className="text-xs text-quiet">what it says it has not seen</h4>
          <p className="tabular-nums">F1 {formatValue(fog.scores.f1, 'percent')}</p>
        </section>
      )}
      {changes.length > 0 && (
        <section>
          <h4 className="text-xs" style={{ color: CHANGED }}>
            what was changed
          </h4>
          <ul>
            {changes.map(({ name, kind }) => (
              <li key={name}>
                {name} <span className="text-quiet">{kind === 'position' ? 'moved' : 'turned'}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function Seen({ picture: { picture, hidden } }: { picture: NonNullable<SpaceState['picture']> }) {
  const source = useSource()
  return (
    <figure>
      <img
        src={source.mediaUrl(picture)}
        alt="What the player saw in this turn"
        width={picture.width}
        height={picture.height}
        className="block h-auto w-full rounded border border-line"
      />
      {hidden.length > 0 && (
        <figcaption className="text-xs text-quiet">hidden behind something: {hidden.join(', ')}</figcaption>
      )}
    </figure>
  )
}
