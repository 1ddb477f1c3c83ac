/**
 * A custom panel of an external suite: a script that draws into an element. src/engine/panel.ts documents its context.
 * If it throws, the default panel shows the error.
 */
import { useEffect, useRef, useState } from 'react'
import type { PanelContext } from '../../../../src/engine/panel.ts'
import type { EpisodeDetail } from '../../../../src/server/api.ts'
import { useResolvedTheme } from '../../ui/theme.ts'
import type { DataSource } from '../../data/source.ts'
import { useSource } from '../../data/hooks.ts'
import type { PanelProps, SuitePanel } from '../../episode/panel.ts'
import { humanize } from '../../ui/format.ts'
import { DefaultPanel, PanelProblem } from '../default/panel.tsx'

type Mount = (element: HTMLElement, context: PanelContext) => unknown
type Listener = Parameters<PanelContext['onChange']>[0]
type Now = Parameters<Listener>[0]

/** @param module the script's exports */
export function customPanel(module: unknown): SuitePanel {
  const { mount, title } = module as Record<string, unknown>
  if (typeof mount !== 'function') throw new Error('The panel must export a function named "mount".')
  return {
    moments: (event, at) => {
      const text = typeof title === 'function' ? titleFrom(title, event) : humanize(event.type)
      return text === null ? null : { at, title: text, kind: 'note' }
    },
    Panel: (props) => <CustomPanel {...props} mount={mount as Mount} />,
    external: true,
  }
}

const MAX_TITLE_LENGTH = 200

/** The panel's title for an event, or the event type if the panel throws. */
function titleFrom(title: Function, event: EpisodeDetail['events'][number]): string | null {
  try {
    const text: unknown = title(structuredClone(event))
    return typeof text === 'string' ? text.slice(0, MAX_TITLE_LENGTH) : null
  } catch {
    return humanize(event.type)
  }
}

function CustomPanel({ mount, ...props }: PanelProps & { mount: Mount }) {
  const [failure, setFailure] = useState<{ error: unknown } | null>(null)
  if (!failure) return <Mounted {...props} mount={mount} onFailure={(error) => setFailure({ error })} />
  return (
    <div className="flex flex-col gap-3">
      <PanelProblem error={failure.error} />
      <DefaultPanel {...props} />
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
  const theme = useResolvedTheme()
  const box = useRef<HTMLDivElement>(null)
  const listeners = useRef(new Set<Listener>())
  // The script is mounted once per episode and notified of later changes.
  const now = useRef({ at, theme, seek, onFailure })
  now.current = { at, theme, seek, onFailure }

  useEffect(() => {
    const element = document.createElement('div')
    box.current!.append(element)
    const registered = new Set<Listener>()
    listeners.current = registered
    const fail = (error: unknown): void => now.current.onFailure(error)
    const { at, theme } = now.current
    const context = contextOf(episode, { at, theme }, source, (to) => now.current.seek(to), registered)
    // Turns synchronous exceptions into rejections.
    const mounted = Promise.resolve().then(() => mount(element, context))
    mounted.catch(fail)
    return () => {
      registered.clear()
      void mounted
        .then((cleanUp) => (typeof cleanUp === 'function' ? (cleanUp as () => unknown)() : undefined))
        // The element is removed anyway.
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

/** Deep copies, because a panel must not modify the page's data. */
function contextOf(
  { run, line, events }: EpisodeDetail,
  { at, theme }: Now,
  source: DataSource,
  seek: (at: number) => void,
  listeners: Set<Listener>,
): PanelContext {
  const { events: _, ...fields } = structuredClone(line)
  const copied = structuredClone(events)
  const { id, suite, player, profile } = run
  return {
    episode: { ...fields, run: { id, suite, player, profile } },
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
