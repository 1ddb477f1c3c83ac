/** For any suite: a text field whose content is sent as the reply. */
import { useState } from 'react'
import { primaryButton } from '../../ui/button.ts'
import { Kbd } from '../../ui/kbd.tsx'
import type { ControlsProps } from './index.ts'
import { Section } from './parts.tsx'

export function TextReplyControls({ send }: Pick<ControlsProps, 'send'>) {
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  return (
    <Section title="Answer">
      <form
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isEmpty) send(text)
        }}
      >
        <textarea
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
          aria-label="Reply"
          autoFocus
          // Programs take room.
          rows={12}
          spellCheck={false}
          className="w-full rounded-md border border-line bg-paper p-2"
        />
        <p className="flex items-center gap-2 text-quiet">
          <button type="submit" className={primaryButton} disabled={isEmpty}>
            Send
          </button>
          <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd>
        </p>
      </form>
    </Section>
  )
}
