/** Details of the current turn, next to the map. */
import { useSource } from '../../data/hooks.ts'
import { Fact } from '../../ui/fact.tsx'
import { formatValue, plural } from '../../ui/format.ts'
import { CHANGED } from './marks.tsx'
import { headingName, meanError, type SpaceState } from './state.ts'

export function Facts({ state }: { state: SpaceState }) {
  const { turn, pose, map, beliefs, phase, changes, fog, picture } = state
  const event = turn?.event
  const error = meanError(beliefs)
  return (
    <div className="flex flex-col gap-3 text-[13px]">
      <section>
        <h3 className="font-medium">
          {phase === 'exploration' ? 'Exploration' : 'Re-exploration'}
          {event ? `, turn ${event.turn}` : ', before the first turn'}
        </h3>
        <p className="text-quiet">
          at {pose.pos.join(', ')}, facing {headingName(pose.heading)}
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
        {event?.reported && <p className="mt-1 text-xs">reported: {event.reported.slice(0, 300)}</p>}
      </section>
      {picture && <TurnImage picture={picture} />}
      {event?.visible && (
        <section>
          <h4 className="text-xs text-quiet">In view</h4>
          <p>{event.visible.length === 0 ? 'nothing' : event.visible.join(', ')}</p>
        </section>
      )}
      {event && (
        <dl className="flex flex-wrap gap-x-4 gap-y-1">
          <Fact name="cost">{event.cost}</Fact>
          <Fact name="coverage">{formatValue(event.coverage, 'percent')}</Fact>
          <Fact name="information">{formatValue(event.information, 'percent')}</Fact>
        </dl>
      )}
      {map && (
        <section>
          <h4 className="text-xs text-belief">Predicted map{map.map === null ? ': unreadable' : ''}</h4>
          {error !== null && (
            <p className="tabular-nums">
              mean error {error.toFixed(1)} cells, {plural(beliefs.length, 'object')}
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
          <h4 className="text-xs text-quiet">Unexplored cells</h4>
          <p className="tabular-nums">F1 {formatValue(fog.scores.f1, 'percent')}</p>
        </section>
      )}
      {changes.length > 0 && (
        <section>
          <h4 className="text-xs" style={{ color: CHANGED }}>
            Changed objects
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

function TurnImage({ picture: { picture, hidden } }: { picture: NonNullable<SpaceState['picture']> }) {
  const source = useSource()
  return (
    <figure>
      <img
        src={source.mediaUrl(picture)}
        alt="The player’s view in this turn"
        width={picture.width}
        height={picture.height}
        className="block h-auto w-full rounded border border-line"
      />
      {hidden.length > 0 && <figcaption className="text-xs text-quiet">occluded: {hidden.join(', ')}</figcaption>}
    </figure>
  )
}
