/** Building blocks of the play controls. */
import { type ReactNode, useState } from 'react'
import { button, card, primaryButton } from '../../ui/button.ts'
import type { Choice } from './prompt.ts'

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={`${card} flex flex-col gap-3 p-4`}>
      <h2 className="text-[13px] font-semibold">{title}</h2>
      {children}
    </section>
  )
}

/** One button per answer option. */
export function Choices({ choices, onChoose }: { choices: readonly Choice[]; onChoose: (letter: string) => void }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {choices.map(({ letter, text }) => (
        <li key={letter}>
          <button
            type="button"
            className={`${button} h-auto! min-h-8 w-full justify-start py-1.5 text-left whitespace-normal!`}
            onClick={() => onChoose(letter)}
          >
            <span className="font-semibold text-accent">{letter}</span>
            <span>{text}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface TextInputProps {
  label: string
  action: string
  onSend: (text: string) => void
  placeholder?: string
  numeric?: boolean
  /** Suggestions while typing. */
  suggestions?: readonly string[]
}

/** A text field with a submit button. */
export function TextInput({ label, action, onSend, placeholder, numeric = false, suggestions = [] }: TextInputProps) {
  const [text, setText] = useState('')
  const list = `suggestions-${label}`
  return (
    <form
      className="flex gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onSend(text.trim())
      }}
    >
      <input
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-label={label}
        placeholder={placeholder}
        inputMode={numeric ? 'decimal' : 'text'}
        list={suggestions.length > 0 ? list : undefined}
        autoComplete="off"
        className="h-8 min-w-0 flex-1 rounded-md border border-line bg-paper px-2"
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
      <button type="submit" className={primaryButton} disabled={text.trim() === ''}>
        {action}
      </button>
    </form>
  )
}

/** Fallback for anything the controls do not cover: the raw reply, as a model would write it. */
export function RawReply({ onSend, start = '' }: { onSend: (text: string) => void; start?: string }) {
  const [text, setText] = useState(start)
  return (
    <details className={`${card} px-4 py-2`}>
      <summary className="cursor-pointer text-[13px] text-quiet">Write a raw reply</summary>
      <textarea
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-label="Reply"
        rows={6}
        spellCheck={false}
        className="mt-2 w-full rounded-md border border-line bg-paper p-2 font-mono text-[13px]"
      />
      <button
        type="button"
        className={`${primaryButton} my-1`}
        disabled={text.trim() === ''}
        onClick={() => onSend(text)}
      >
        Send
      </button>
    </details>
  )
}
