import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface TabsProps<T extends string> {
  label: string
  value: T
  tabs: readonly { value: T; title: string; count?: string }[]
  onChange: (value: T) => void
  /** Content of the active tab. */
  children: ReactNode
}

export function Tabs<T extends string>({ label, value, tabs, onChange, children }: TabsProps<T>) {
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => {
        const chosen = tabs.find((tab) => tab.value === next)
        if (chosen) onChange(chosen.value)
      }}
    >
      <Radix.List aria-label={label} className="mb-4 flex gap-5 border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px flex items-center gap-1.5 border-b-2 border-transparent pb-2 text-quiet hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
          >
            {tab.title}
            {tab.count !== undefined && (
              <span className="rounded-full bg-line/60 px-1.5 text-xs font-normal tabular-nums">{tab.count}</span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={value} tabIndex={-1} className="outline-none">
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}
