/**
 * A panel that a suite of others brings along: a script that draws into an element. What it gets is in
 * src/engine/panel.ts. Whatever it does wrong is told on the page, and the general panel stands in for it.
 */
import { useEffect, useRef, useState } from 'react'
import type { PanelContext } from '../../../../src/engine/panel.ts'
import type { EpisodeDetail } from '../../../../src/server/api.ts'
import { useShownTheme } from '../../ui/theme.ts'
import type { DataSource } from '../../data/source.ts'
import { useSource } from '../../data/use.ts'
import type { PanelProps, SuitePanel } from '../../episode/panel.ts'
import { words } from '../../ui/format.ts'
import { GeneralPanel, PanelProblem } from '../general/panel.tsx'

type Mount = (element: HTMLElement, context: PanelContext) => unknown
type Listener = Parameters<PanelContext['onChange']>[0]
type Now = Parameters<Listener>[0]

/** @param module what the script exports */
export function ownPanel(module: unknown): SuitePanel {
  const { mount, title } = module as Record<string, unknown>
  if (typeof mount !== 'function') throw new Error('It does not export a function called mount.')
  return {
    moments: (event, at) => {
      const told = typeof title === 'function' ? titleFrom(title, event) : words(event.type)
      return told === null ? null : { at, title: told, kind: 'note' }
    },
    Panel: (props) => <OwnPanel {...props} mount={mount as Mount} />,
    guest: true,
  }
}

const MAX_TITLE_LENGTH = 200

/** The name of the event where the panel has no words for it, or fails to find them. */
function titleFrom(title: Function, event: EpisodeDetail['events'][number]): string | null {
  try {
    const told: unknown = title(structuredClone(event))
    return typeof told === 'string' ? told.slice(0, MAX_TITLE_LENGTH) : null
  } catch {
    return words(event.type)
  }
}

function OwnPanel({ mount, ...props }: PanelProps & { mount: Mount }) {
  const [failure, setFailure] = useState<{ error: unknown } | null>(null)
  if (!failure) return <Mounted {...props} mount={mount} onFailure={(error) => setFailure({ error })} />
  return (
    <div className="flex flex-col gap-3">
      <PanelProblem error={failure.error} />
      <GeneralPanel {...props} />
    </div>
  )
}

function Mounted({
  episode,
  at,
  seek,
  mount,
  onFailure,
}: PanelProps & { mount: Mount; onFailure: (error: unknown) => void }) {
  const source = useSource()
  const theme = useShownTheme()
  const box = useRef<HTMLDivElement>(null)
  const listeners = useRef(new Set<Listener>())
  // The script is started once for an episode; what changes afterwards it is told.
  const now = useRef({ at, theme, seek, onFailure })
  now.current = { at, theme, seek, onFailure }

  useEffect(() => {
    const element = document.createElement('div')
    box.current!.append(element)
    const heard = new Set<Listener>()
    listeners.current = heard
    const fail = (error: unknown): void => now.current.onFailure(error)
    const { at, theme } = now.current
    const context = contextOf(episode, { at, theme }, source, (to) => now.current.seek(to), heard)
    // Also what it throws at once is a rejection.
    const mounted = Promise.resolve().then(() => mount(element, context))
    mounted.catch(fail)
    return () => {
      heard.clear()
      void mounted
        .then((cleanUp) => (typeof cleanUp === 'function' ? (cleanUp as () => unknown)() : undefined))
        // It is gone from the page in any case.
        .catch(() => undefined)
      element.remove()
    }
  }, [episode, source, mount])

  useEffect(() => {
    for (const listen of listeners.current) {
      try {
        listen({ at, theme })
      } catch (error) {
        now.current.onFailure(error)
      }
    }
  }, [at, theme])

  return <div ref={box} />
}

/** Copies: what a panel does to its data must not change the page. */
function contextOf(
  { run, line, events }: EpisodeDetail,
  { at, theme }: Now,
  source: DataSource,
  seek: (at: number) => void,
  listeners: Set<Listener>,
): PanelContext {
  const { events: _, ...told } = structuredClone(line)
  const copied = structuredClone(events)
  const { id, suite, player, profile } = run
  return {
    episode: { ...told, run: { id, suite, player, profile } },
    events: copied,
    sample: copied.find(({ type }) => type === 'sample')?.['sample'] ?? null,
    outcome: copied.findLast(({ type }) => type === 'outcome')?.['outcome'] ?? null,
    at,
    theme,
    seek: (to) => seek(Math.max(0, Math.min(events.length - 1, Math.round(to) || 0))),
    mediaUrl: (media) => source.mediaUrl(media),
    onChange: (listener) => void listeners.add(listener),
  }
}
