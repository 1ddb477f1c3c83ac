import { type ReactNode, useEffect, useState } from 'react'
import { iconButton } from '../ui/button.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

interface IconButtonProps {
  icon: IconName
  /** What it does, in words; shown when one rests on it. */
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

/** A small button of words, for what is folded and what goes on. */
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

const SAID_MS = 1500

/** Copies a text, and says whether it could. */
export function CopyButton({ text, title, icon = 'copy' }: { text: () => string; title: string; icon?: IconName }) {
  const [state, setState] = useState<'rest' | 'copied' | 'refused'>('rest')
  useEffect(() => {
    if (state === 'rest') return
    const timer = setTimeout(() => setState('rest'), SAID_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text())
      setState('copied')
    } catch {
      // Not allowed from disk or over plain HTTP.
      setState('refused')
    }
  }
  return (
    <span className="inline-flex items-center">
      <span role="status" className="text-xs text-quiet">
        {state === 'copied' ? 'Copied' : state === 'refused' ? 'The browser does not let it be copied' : ''}
      </span>
      <IconButton icon={state === 'copied' ? 'check' : icon} title={title} onClick={() => void copy()} />
    </span>
  )
}
