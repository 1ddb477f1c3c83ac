/** Theory of Space: a sequence of actions that ends with an observation, then text answers. */
import { useState } from 'react'
import { useKeys } from '../../ui/keys.ts'
import { button, primaryButton } from '../../ui/button.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { findChoices, splitMessage, findObjects } from './prompt.ts'
import { space } from './replies.ts'
import { MapEditor } from './map-editor.tsx'
import type { ControlsProps } from './index.ts'
import { Choices, TextInput, RawReply, Section } from './parts.tsx'

export function SpaceControls({ turn, send }: ControlsProps) {
  const { text } = splitMessage(turn.messages.at(-1)!)
  const objects = [...new Set(turn.messages.flatMap((message) => findObjects(splitMessage(message).text)))]
  const explores = turn.purpose === 'exploration' || turn.purpose === 'revision'
  const choices = findChoices(text)
  const answer = (text: string): void => send(space.answer(text))
  return (
    <>
      {explores ? (
        <Explore objects={objects} send={send} />
      ) : turn.purpose === 'map global' ? (
        <Section title="Your map">
          <MapEditor objects={objects} onSend={answer} />
        </Section>
      ) : (
        <Section title="Answer">
          {choices.length > 0 && <Choices choices={choices} onChoose={answer} />}
          <TextInput key={turn.number} label="Answer" action="Answer" placeholder={findExample(text)} onSend={answer} />
        </Section>
      )}
      <RawReply key={turn.number} onSend={send} start={'FINAL ANSWER:\n'} />
    </>
  )
}

/** Questions end with an example of the answer format. */
function findExample(text: string): string {
  return /^Example: (.+)$/m.exec(text)?.[1] ?? /\[Example\]\n(.+)/.exec(text)?.[1] ?? ''
}

const TURNS = [
  { title: 'Left 90°', degrees: -90, keys: ['ArrowLeft', 'a'] },
  { title: 'Right 90°', degrees: 90, keys: ['ArrowRight', 'd'] },
  { title: 'Turn 180°', degrees: 180, keys: ['ArrowDown', 's'] },
] as const

function Explore({ objects, send }: { objects: readonly string[]; send: (text: string) => void }) {
  const [planned, setPlanned] = useState<readonly string[]>([])
  const plan = (action: string): void => setPlanned((before) => [...before, action])
  const finish = (last: string): void => {
    send(space.actions([...planned, last]))
    setPlanned([])
  }
  useKeys('Explore', [
    ...TURNS.map(({ keys, title, degrees }) => ({ keys, title, run: () => plan(`Rotate(${degrees})`) })),
    { keys: ['o', 'Enter'], title: 'Observe', run: () => finish('Observe()') },
    { keys: ['Backspace'], title: 'Undo last action', run: () => setPlanned((before) => before.slice(0, -1)) },
  ])
  return (
    <Section title="Actions">
      <p aria-live="polite" className="min-h-6 font-mono text-[13px] [overflow-wrap:anywhere]">
        {planned.length === 0 ? <span className="text-quiet">no actions yet</span> : planned.join(', ')}
      </p>
      <div className="grid grid-cols-3 gap-2">
        {TURNS.map(({ title, degrees, keys }) => (
          <button key={title} type="button" className={button} onClick={() => plan(`Rotate(${degrees})`)}>
            {title} <Kbd>{keys[0]}</Kbd>
          </button>
        ))}
      </div>
      <TextInput
        label="Jump to"
        action="Jump"
        placeholder="an object in view"
        suggestions={objects}
        onSend={(name) => plan(`JumpTo(${name})`)}
      />
      <TextInput
        label="Query position of"
        action="Query"
        placeholder="an object you have seen"
        suggestions={objects}
        onSend={(name) => finish(`Query(${name})`)}
      />
      <div className="flex flex-wrap gap-2">
        <button type="button" className={primaryButton} onClick={() => finish('Observe()')}>
          Observe
        </button>
        <button type="button" className={button} disabled={planned.length === 0} onClick={() => setPlanned([])}>
          Clear
        </button>
        <button type="button" className={`${button} ml-auto`} onClick={() => send(space.actions(['Term()']))}>
          End exploration
        </button>
      </div>
    </Section>
  )
}
