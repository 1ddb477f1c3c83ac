import { type ReactNode, useEffect, useState } from 'react'
import { iconButton } from '../ui/button.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

interface IconButtonProps {
  icon: IconName
  /** Tooltip and accessible name. */
  title: string
  onClick: () => void
  disabled?: boolean
  className?: string
}

export function IconButton({ icon, title, onClick, disabled = false, className = '' }: IconButtonProps) {
  return (
    <button
      type="button"
      title={title}
      aria-label={title}
      onClick={onClick}
      disabled={disabled}
      className={`${iconButton} ${className}`}
    >
      <Icon name={icon} />
    </button>
  )
}

/** A small text button, for expanding and collapsing content. */
export function TextButton({
  onClick,
  children,
  expanded,
}: {
  onClick: () => void
  children: ReactNode
  expanded?: boolean
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      {...(expanded === undefined ? {} : { 'aria-expanded': expanded })}
      className="cursor-pointer rounded text-left text-xs text-accent hover:underline"
    >
      {children}
    </button>
  )
}

const FEEDBACK_MS = 1500

/** Copies text and shows whether it worked. */
export function CopyButton({ text, title, icon = 'copy' }: { text: () => string; title: string; icon?: IconName }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), FEEDBACK_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      setState('copied')
    } catch {
      // Not allowed from disk or over plain HTTP.
      setState('failed')
    }
  }
  return (
    <span className="inline-flex items-center">
      <span role="status" className="text-xs text-quiet">
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Copying is blocked by the browser' : ''}
      </span>
      <IconButton icon={state === 'copied' ? 'check' : icon} title={title} onClick={() => void copy()} />
    </span>
  )
}
