import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'

interface PopoverPanelProps {
  label: string
  align?: 'start' | 'end'
  className?: string
  children: ReactNode
}

/** Content of a popover; place it next to the trigger inside `Popover.Root`. */
export function PopoverPanel({ label, align = 'start', className = 'w-72', children }: PopoverPanelProps) {
  return (
    <Popover.Portal>
      <Popover.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        aria-label={label}
        className={`z-40 flex max-h-[min(26rem,var(--radix-popover-content-available-height))] max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-lg border border-line bg-paper p-1.5 text-[13px] text-ink shadow-lg ${className}`}
      >
        {children}
      </Popover.Content>
    </Popover.Portal>
  )
}
