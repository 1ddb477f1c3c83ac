/** Articulate, mesh retrieval: what the object is, which of the candidates, which part moves; words become a plan of parts. */
import { useState } from 'react'
import { button, primaryButton } from '../../ui/button.ts'
import type { ControlsProps } from './index.ts'
import { Choices, RawReply, Section, TextInput } from './parts.tsx'
import { type Choice, splitMessage } from './prompt.ts'
import { TextReplyControls } from './text-reply.tsx'

export function RetrieveControls({ turn, send }: ControlsProps) {
  const { text, images } = splitMessage(turn.messages.at(-1)!)
  const reply = (value: unknown): void => send(JSON.stringify(value))
  const controls = (() => {
    switch (turn.purpose) {
      case 'detect':
        return (
          <Section title="What object is it?">
            <TextInput label="Object" action="Answer" onSend={(object) => reply({ object, affordance: '' })} />
          </Section>
        )
      case 'category':
        return (
          <Section title="Category">
            <Choices choices={categoriesIn(text)} onChoose={(category) => reply({ category })} />
          </Section>
        )
      case 'select':
        return (
          <Section title="Most like the target image">
            <Choices
              choices={images.flatMap(({ label }) => /Image \d+/.exec(label)?.[0] ?? []).map(plainChoice)}
              onChoose={(selected_image) => reply({ selected_image })}
            />
          </Section>
        )
      case 'affordance':
        return (
          <Section title="The part that moves, and its color in the segmented image">
            <Choices choices={colorsIn(text)} onChoose={(part_name) => reply({ part_name })} />
          </Section>
        )
      case 'specify':
        return (
          <Section title="The object in one sentence, with all its parts">
            <TextInput label="Description" action="Answer" onSend={(output) => reply({ reasoning: '', output })} />
          </Section>
        )
      case 'plan':
        return <Plan onSend={reply} />
      case 'match':
        return (
          <Section title="The mesh that fits">
            <div className="max-h-[60vh] overflow-y-auto">
              <Choices
                choices={[...meshesIn(text), { letter: 'none', text: 'no mesh fits' }]}
                onChoose={(mesh) => reply({ mesh: mesh === 'none' ? null : Number(mesh) })}
              />
            </div>
          </Section>
        )
      default:
        return null
    }
  })()
  if (controls === null) return <TextReplyControls send={send} />
  return (
    <>
      {controls}
      <RawReply key={turn.number} onSend={send} />
    </>
  )
}

const plainChoice = (letter: string): Choice => ({ letter, text: '' })

function categoriesIn(text: string): Choice[] {
  const names = /^Categories: (.+)$/m.exec(text)?.[1] ?? ''
  return names.split(', ').map(plainChoice)
}

function colorsIn(text: string): Choice[] {
  return [...text.matchAll(/^\s*"([^"]+)": "([^"]+)",?$/gm)].map(([, part, color]) => ({ letter: part!, text: color! }))
}

function meshesIn(text: string): Choice[] {
  return [...text.matchAll(/^(\d+)\. (.+)$/gm)].map(([, number, name]) => ({ letter: number!, text: name! }))
}

interface PlannedPart {
  name: string
  /** Depth, width and height, as typed. */
  sizes: readonly [string, string, string]
}

const NEW_PART: PlannedPart = { name: '', sizes: ['', '', ''] }
const AXES = ['depth', 'width', 'height'] as const
const field = 'h-8 min-w-0 rounded-md border border-line bg-paper px-2'

const isComplete = ({ name, sizes }: PlannedPart): boolean =>
  name.trim() !== '' && sizes.every((size) => Number(size) > 0)

function Plan({ onSend }: { onSend: (plan: unknown) => void }) {
  const [parts, setParts] = useState<readonly PlannedPart[]>([NEW_PART])
  const change = (at: number, part: PlannedPart): void => setParts(parts.map((before, i) => (i === at ? part : before)))
  const done = parts.filter(isComplete)
  return (
    <Section title="Parts and the sizes of their boxes, in meters">
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          onSend(done.map(({ name, sizes }) => ({ name, description: name, dimensions: sizes.map(Number) })))
        }}
      >
        {parts.map((part, i) => (
          <fieldset key={i} className="grid grid-cols-3 gap-1.5">
            <legend className="sr-only">Part {i + 1}</legend>
            <input
              value={part.name}
              onChange={(event) => change(i, { ...part, name: event.target.value })}
              aria-label="Name of the part"
              placeholder="part"
              className={`${field} col-span-3`}
            />
            {AXES.map((axis, k) => (
              <input
                key={axis}
                value={part.sizes[k]}
                onChange={(event) => {
                  const [x, y, z] = part.sizes.with(k, event.target.value)
                  change(i, { ...part, sizes: [x!, y!, z!] })
                }}
                aria-label={axis}
                placeholder={axis}
                inputMode="decimal"
                className={field}
              />
            ))}
          </fieldset>
        ))}
        <div className="flex gap-2">
          <button type="button" className={button} onClick={() => setParts([...parts, NEW_PART])}>
            Add a part
          </button>
          <button type="submit" className={`${primaryButton} ml-auto`} disabled={done.length < parts.length}>
            Answer
          </button>
        </div>
      </form>
    </Section>
  )
}
