import type { ReactNode } from 'react'

/** A value with its name below it, inside a `dl`. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="max-w-32 truncate text-xs text-quiet">{name}</dt>
      <dd className="font-medium tabular-nums">{children}</dd>
    </div>
  )
}
