/** A command with a copy button. */
import { useEffect, useState } from 'react'
import { iconButton } from './button.ts'
import { Icon } from './icon.tsx'

export function CopyLine({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 1500)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      // Not allowed from disk or over plain HTTP; the text can still be selected.
      setState('failed')
    }
  }
  return (
    <div className="flex min-w-0 items-center gap-1 rounded-md border border-line bg-ground pl-2.5">
      <code
        tabIndex={0}
        className="min-w-0 flex-1 overflow-x-auto py-1 font-mono text-xs whitespace-nowrap text-ink select-all"
      >
        {text}
      </code>
      <span role="status" className="text-xs text-quiet">
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Select to copy' : ''}
      </span>
      <button
        type="button"
        className={iconButton}
        aria-label={`Copy: ${label}`}
        title="Copy"
        onClick={() => void copy()}
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
      </button>
    </div>
  )
}
