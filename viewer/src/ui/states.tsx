/** Loading, error and empty states. */
import type { ReactNode } from 'react'
import { errorText } from '../data/http.ts'
import type { Loaded } from '../data/hooks.ts'
import { button } from './button.ts'
import { Icon } from './icon.tsx'

/** Appears after a short delay to avoid flashing. */
export function Loading({ what }: { what: string }) {
  return (
    <div role="status" className="appear-late flex items-center gap-3 py-16 text-quiet justify-center">
      <span className="spinner size-4 rounded-full border-2 border-line border-t-accent" aria-hidden="true" />
      Loading {what}…
    </div>
  )
}

export function ErrorMessage({ error, retry }: { error: unknown; retry?: () => void }) {
  const { message, hint } = errorText(error)
  return (
    <div role="alert" className="mx-auto flex max-w-xl flex-col items-center gap-2 py-16 text-center">
      <Icon name="warning" className="size-7 text-bad" />
      <p className="text-base font-medium [overflow-wrap:anywhere]">{message}</p>
      {hint !== undefined && <p className="text-quiet [overflow-wrap:anywhere]">{hint}</p>}
      {retry && (
        <button type="button" className={`${button} mt-3`} onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-4 py-14 text-center">
      <p className="text-base font-medium">{title}</p>
      {children !== undefined && <div className="max-w-lg text-quiet">{children}</div>}
    </div>
  )
}

/** Renders loaded data, or the loading or error state. */
export function WhenLoaded<T>({
  of,
  what,
  children,
}: {
  of: Loaded<T>
  what: string
  children: (value: T) => ReactNode
}) {
  if (of.state === 'ready') return children(of.value)
  return of.state === 'loading' ? <Loading what={what} /> : <ErrorMessage error={of.error} retry={of.retry} />
}
