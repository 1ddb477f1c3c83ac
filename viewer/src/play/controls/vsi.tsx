/** VSI: choose an initial view, move, answer. */
import { useState } from 'react'
import { FIRST_ANGLES, MOVE_LIMITS } from '../../../../src/suites/vsi/domain/protocol.ts'
import { type Move, NO_MOVE } from '../../../../src/world/walk/move.ts'
import { useKeys } from '../../ui/keys.ts'
import { useSource } from '../../data/hooks.ts'
import { button, primaryButton } from '../../ui/button.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { findChoices, splitMessage } from './prompt.ts'
import { vsi } from './replies.ts'
import type { ControlsProps } from './index.ts'
import { Choices, TextInput, RawReply, Section } from './parts.tsx'

export function VsiControls({ turn, send }: ControlsProps) {
  const { text } = splitMessage(turn.messages.at(-1)!)
  const { purpose } = turn
  if (purpose === 'first view') return <FirstView turn={turn} send={send} />
  const walking = purpose.startsWith('step ')
  // Steps expect all fields of a move; other prompts expect only the answer.
  const answer = walking || purpose === 'final step' ? vsi.answer : purpose === 'map' ? String : plainAnswer(purpose)
  return (
    <>
      {walking && <Walk send={send} />}
      {purpose !== 'map' && (
        <Section title={walking ? 'Answer and finish' : 'Answer'}>
          <Answer text={text} send={(given) => send(answer(given))} />
        </Section>
      )}
      <RawReply key={turn.number} onSend={send} />
    </>
  )
}

/** Questions about videos expect plain text, the end of an exploration expects JSON. */
function plainAnswer(purpose: string): (answer: string) => string {
  return purpose === 'question' || purpose === 're-ask' ? (answer) => answer : vsi.answerOnly
}

function Answer({ text, send }: { text: string; send: (answer: string) => void }) {
  const choices = findChoices(text)
  if (choices.length > 0) return <Choices choices={choices} onChoose={send} />
  return <TextInput label="Answer" action="Answer" placeholder="a number or a letter" onSend={send} />
}

function FirstView({ turn, send }: Pick<ControlsProps, 'turn' | 'send'>) {
  const source = useSource()
  const { images } = splitMessage(turn.messages.at(-1)!)
  return (
    <Section title="Choose the initial view">
      <div className="grid grid-cols-2 gap-2">
        {FIRST_ANGLES.map((degrees, i) => (
          <button
            key={degrees}
            type="button"
            className="overflow-hidden rounded-md border border-line bg-paper text-[13px] font-medium hover:border-accent"
            onClick={() => send(vsi.firstView(degrees))}
          >
            {images[i] && <img src={source.mediaUrl(images[i].media)} alt="" className="block w-full" />}
            <span className="block py-1">Start at {degrees}°</span>
          </button>
        ))}
      </div>
    </Section>
  )
}

interface Axis {
  key: keyof Move
  title: string
  step: number
  unit: string
}

const AXES: readonly Axis[] = [
  { key: 'turnDegrees', title: 'Turn (+ is left)', step: 5, unit: '°' },
  { key: 'forwardMeters', title: 'Forward', step: 0.1, unit: ' m' },
  { key: 'leftMeters', title: 'Left', step: 0.1, unit: ' m' },
  { key: 'upMeters', title: 'Up', step: 0.1, unit: ' m' },
]

const QUICK: readonly { keys: readonly string[]; title: string; move: Partial<Move> }[] = [
  { keys: ['ArrowLeft', 'a'], title: 'Turn left 45°', move: { turnDegrees: 45 } },
  { keys: ['ArrowRight', 'd'], title: 'Turn right 45°', move: { turnDegrees: -45 } },
  { keys: ['ArrowUp', 'w'], title: 'Forward 1 m', move: { forwardMeters: 1 } },
  { keys: ['ArrowDown', 's'], title: 'Back 1 m', move: { forwardMeters: -1 } },
  { keys: ['q'], title: 'Turn left 90°', move: { turnDegrees: 90 } },
  { keys: ['e'], title: 'Turn right 90°', move: { turnDegrees: -90 } },
]

function Walk({ send }: { send: (text: string) => void }) {
  const [move, setMove] = useState(NO_MOVE)
  const go = (part: Partial<Move>): void => send(vsi.move({ ...NO_MOVE, ...part }))
  useKeys(
    'Walk',
    QUICK.map(({ keys, title, move: part }) => ({ keys, title, run: () => go(part) })),
  )
  return (
    <Section title="Move">
      <div className="grid grid-cols-2 gap-2">
        {QUICK.map(({ keys, title, move: part }) => (
          <button key={title} type="button" className={`${button} justify-between`} onClick={() => go(part)}>
            {title} <Kbd>{keys[0]!}</Kbd>
          </button>
        ))}
      </div>
      <details>
        <summary className="cursor-pointer text-[13px] text-quiet">Custom move: turns first, then walks</summary>
        <div className="mt-2 flex flex-col gap-2">
          {AXES.map(({ key, title, step, unit }) => (
            <label key={key} className="grid grid-cols-[7rem_1fr_3.5rem] items-center gap-2 text-[13px]">
              {title}
              <input
                type="range"
                // The suite clamps larger values.
                min={-MOVE_LIMITS[key]}
                max={MOVE_LIMITS[key]}
                step={step}
                value={move[key]}
                onChange={(event) => setMove({ ...move, [key]: Number(event.target.value) })}
                className="accent-accent"
              />
              <span className="text-right tabular-nums">
                {move[key]}
                {unit}
              </span>
            </label>
          ))}
          <button type="button" className={primaryButton} onClick={() => send(vsi.move(move))}>
            Go
          </button>
        </div>
      </details>
    </Section>
  )
}
