/** Articulate: the verdict of a critic. Programs are written in the text field of other suites. */
import type { ControlsProps } from './index.ts'
import { Choices, RawReply, Section } from './parts.tsx'
import { critique } from './replies.ts'

const VERDICTS = {
  'joint-critic': [
    { letter: 'success', text: 'nothing is wrong' },
    { letter: 'joint_type', text: 'turns instead of slides, or the other way round' },
    { letter: 'joint_axis', text: 'moves along or around another axis' },
    { letter: 'joint_origin', text: 'turns around another place' },
    { letter: 'joint_limit', text: 'moves too far, too little or the other way' },
  ],
  'link-critic': [
    { letter: 'success', text: 'every part is in place' },
    { letter: 'placement', text: 'a part is missing or misplaced' },
  ],
} as const

export function CriticControls({ turn, send }: ControlsProps) {
  const verdicts = VERDICTS[turn.purpose === 'joint-critic' ? 'joint-critic' : 'link-critic']
  return (
    <>
      <Section title="Verdict">
        <Choices choices={verdicts} onChoose={(verdict) => send(critique(verdict))} />
      </Section>
      <RawReply key={turn.number} onSend={send} />
    </>
  )
}
