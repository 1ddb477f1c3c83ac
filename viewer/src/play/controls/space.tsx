/** Theory of Space: a row of actions that ends in a look, then answers in words. */
import { useState } from 'react'
import { useKeys } from '../../ui/keys.ts'
import { button, primaryButton } from '../../ui/button.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { choicesIn, takeApart, thingsIn } from './asked.ts'
import { space } from './replies.ts'
import { BeliefMap } from './belief-map.tsx'
import type { ControlsProps } from './index.ts'
import { Choices, Line, OwnWords, Section } from './parts.tsx'

export function SpaceControls({ turn, send }: ControlsProps) {
  const { text } = takeApart(turn.messages.at(-1)!)
  const things = [...new Set(turn.messages.flatMap((message) => thingsIn(takeApart(message).text)))]
  const explores = turn.purpose === 'exploration' || turn.purpose === 'revision'
  const choices = choicesIn(text)
  const answer = (said: string): void => send(space.answer(said))
  return (
    <>
      {explores ? (
        <Explore things={things} send={send} />
      ) : turn.purpose === 'map global' ? (
        <Section title="Your map">
          <BeliefMap things={things} onSend={answer} />
        </Section>
      ) : (
        <Section title="Answer">
          {choices.length > 0 && <Choices choices={choices} onChoose={answer} />}
          <Line key={turn.number} label="Answer" action="Answer" placeholder={exampleIn(text)} onSend={answer} />
        </Section>
      )}
      <OwnWords key={turn.number} onSend={send} start={'FINAL ANSWER:\n'} />
    </>
  )
}

/** Questions end with an example of their answer's form. */
function exampleIn(text: string): string {
  return /^Example: (.+)$/m.exec(text)?.[1] ?? /\[Example\]\n(.+)/.exec(text)?.[1] ?? ''
}

const TURNS = [
  { title: 'Left 90°', degrees: -90, keys: ['ArrowLeft', 'a'] },
  { title: 'Right 90°', degrees: 90, keys: ['ArrowRight', 'd'] },
  { title: 'Around', degrees: 180, keys: ['ArrowDown', 's'] },
] as const

function Explore({ things, send }: { things: readonly string[]; send: (text: string) => void }) {
  const [planned, setPlanned] = useState<readonly string[]>([])
  const plan = (action: string): void => setPlanned((before) => [...before, action])
  const finish = (last: string): void => {
    send(space.actions([...planned, last]))
    setPlanned([])
  }
  useKeys('Explore', [
    ...TURNS.map(({ keys, title, degrees }) => ({ keys, title, run: () => plan(`Rotate(${degrees})`) })),
    { keys: ['o', 'Enter'], title: 'Observe', run: () => finish('Observe()') },
    { keys: ['Backspace'], title: 'Take the last action back', run: () => setPlanned((before) => before.slice(0, -1)) },
  ])
  return (
    <Section title="Actions">
      <p aria-live="polite" className="min-h-6 font-mono text-[13px] [overflow-wrap:anywhere]">
        {planned.length === 0 ? <span className="text-quiet">nothing planned yet</span> : planned.join(', ')}
      </p>
      <div className="grid grid-cols-3 gap-2">
        {TURNS.map(({ title, degrees, keys }) => (
          <button key={title} type="button" className={button} onClick={() => plan(`Rotate(${degrees})`)}>
            {title} <Kbd>{keys[0]}</Kbd>
          </button>
        ))}
      </div>
      <Line
        label="Jump to"
        action="Jump"
        placeholder="something in view"
        known={things}
        onSend={(name) => plan(`JumpTo(${name})`)}
      />
      <Line
        label="Ask where it is"
        action="Query"
        placeholder="something seen"
        known={things}
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
