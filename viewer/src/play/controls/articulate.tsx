/** Articulate: the verdict of a critic. Programs are written in a text field. */
import type { ControlsProps } from './index.ts'
import { Choices, RawReply, Section } from './parts.tsx'
import { splitMessage } from './prompt.ts'
import { critique, urdfCritique } from './replies.ts'

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
  'urdf-critic': [
    { letter: 'success', text: 'parts and joints are as they should be' },
    { letter: 'parts', text: 'a part floats, is in another one or in the wrong place' },
    { letter: 'joints', text: 'a joint has the wrong type, axis or place' },
  ],
} as const

const isCritic = (purpose: string): purpose is keyof typeof VERDICTS => Object.hasOwn(VERDICTS, purpose)

export function CriticControls({ turn, send }: ControlsProps) {
  // Asked once more, for a reply that could not be read, it is the same critic.
  const critic = turn.purpose.replace(/ again$/, '')
  if (!isCritic(critic)) return <RawReply key={turn.number} onSend={send} />
  const prompt = turn.messages.map((message) => splitMessage(message).text).join('\n')
  const reply = (verdict: string): string =>
    critic === 'urdf-critic' ? urdfCritique(verdict, prompt) : critique(verdict)
  return (
    <>
      <Section title="Verdict">
        <Choices choices={VERDICTS[critic]} onChoose={(verdict) => send(reply(verdict))} />
      </Section>
      <RawReply key={turn.number} onSend={send} />
    </>
  )
}
