/** A tooltip shown on hover and focus. */
import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

interface TooltipProps {
  content: ReactNode
  /** One focusable element. */
  children: ReactElement
}

export function Tooltip({ content, children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={250}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={5}
            collisionPadding={8}
            className="z-50 max-w-72 rounded-md bg-ink px-2.5 py-1.5 text-xs text-paper shadow-lg [overflow-wrap:anywhere]"
          >
            {content}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}

/** A small ⓘ with an explanation. */
export function InfoTip({ children }: { children: string }) {
  return (
    <Tooltip content={children}>
      <button type="button" aria-label={children} className="inline-flex align-[-2px] text-quiet hover:text-ink">
        <svg
          viewBox="0 0 16 16"
          className="size-3.5"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.4"
          aria-hidden="true"
        >
          <circle cx="8" cy="8" r="6" />
          <path d="M8 7.2v3.6M8 5.1h.01" strokeLinecap="round" />
        </svg>
      </button>
    </Tooltip>
  )
}
