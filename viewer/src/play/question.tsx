/** What is asked, as a model reads it: earlier messages folded, the newest one open, its pictures large. */
import { useEffect, useState } from 'react'
import type { Message } from '../../../src/models/types.ts'
import { useSource } from '../data/use.ts'
import { button, card } from '../ui/button.ts'
import { Icon } from '../ui/icon.tsx'
import { type LabelledPicture, questionIn, takeApart } from './controls/asked.ts'

interface QuestionProps {
  messages: readonly Message[]
  /** Pictures stand where they were put between the words; otherwise they stand above them, the newest large. */
  inOrder: boolean
}

export function Question({ messages, inOrder }: QuestionProps) {
  const newest = messages.at(-1)
  const before = messages.slice(0, -1)
  return (
    <section aria-label="What is asked" className="flex min-w-0 flex-col gap-3">
      {before.length > 0 && (
        <details className={`${card} px-4 py-2`}>
          <summary className="cursor-pointer text-quiet">
            What was said before: {before.length} {before.length === 1 ? 'message' : 'messages'}
          </summary>
          <ol className="mt-2 flex flex-col gap-3">
            {before.map((message, i) => (
              // A conversation only grows: a message keeps its place.
              <li key={i} className="border-t border-line pt-2">
                <p className="text-xs font-medium tracking-wide text-quiet uppercase">
                  {message.role === 'assistant' ? 'you' : message.role === 'system' ? 'instructions' : 'asked'}
                </p>
                {inOrder ? <InOrder message={message} /> : <Apart message={message} />}
              </li>
            ))}
          </ol>
        </details>
      )}
      {newest &&
        (inOrder ? (
          <div className={`${card} p-4`}>
            <InOrder message={newest} />
          </div>
        ) : (
          <Newest key={messages.length} message={newest} />
        ))}
    </section>
  )
}

function Apart({ message }: { message: Message }) {
  const { text, pictures } = takeApart(message)
  return (
    <>
      <Words text={text} />
      <Pictures pictures={pictures} small />
    </>
  )
}

function InOrder({ message: { content } }: { message: Message }) {
  if (typeof content === 'string') return <Words text={content} />
  return (
    <div className="flex flex-col gap-3">
      {content.map((part, i) =>
        part.type === 'text' ? (
          <Words key={i} text={part.text.trim()} />
        ) : (
          <Picture key={i} picture={{ media: part.media, label: '' }} />
        ),
      )}
    </div>
  )
}

function Newest({ message }: { message: Message }) {
  const { text, pictures } = takeApart(message)
  const question = questionIn(text)
  return (
    <div className={`${card} flex flex-col gap-3 p-4`}>
      {question !== null && <p className="text-base font-medium">{question}</p>}
      <Pictures pictures={pictures} />
      <Words text={text} />
    </div>
  )
}

function Words({ text }: { text: string }) {
  return <p className="max-w-prose text-[13px] leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</p>
}

/** Pictures from a clip are looked at like one. */
const PLAYED_FROM = 5
const A_PICTURE_MS = 300

function Pictures({ pictures, small = false }: { pictures: readonly LabelledPicture[]; small?: boolean }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const [plays, setPlays] = useState(false)
  const count = pictures.length
  // The newest is what is looked at, until another one is chosen.
  const shown = chosen ?? count - 1
  useEffect(() => {
    if (!plays) return
    const timer = setTimeout(() => {
      setChosen((shown + 1) % count)
      // Once through, and it rests on the last one.
      if (shown + 1 === count - 1) setPlays(false)
    }, A_PICTURE_MS)
    return () => clearTimeout(timer)
  }, [plays, shown, count])
  if (count === 0) return null
  return (
    <div className="flex flex-col gap-2">
      {!small && <Picture picture={pictures[shown]!} />}
      {!small && count >= PLAYED_FROM && (
        <button type="button" className={`${button} self-start`} aria-pressed={plays} onClick={() => setPlays(!plays)}>
          <Icon name={plays ? 'pause' : 'play'} className="size-3.5" />
          {plays ? 'Stop' : 'Play the pictures'}
        </button>
      )}
      {(pictures.length > 1 || small) && (
        <ul className="flex gap-1.5 overflow-x-auto pb-1" aria-label="Pictures so far">
          {pictures.map((picture, i) => (
            <li key={i} className="shrink-0">
              <button
                type="button"
                aria-pressed={!small && i === shown}
                onClick={() => setChosen(i)}
                className={`block overflow-hidden rounded border-2 ${!small && i === shown ? 'border-accent' : 'border-transparent'}`}
              >
                <Thumb picture={picture} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Picture({ picture: { media, label } }: { picture: LabelledPicture }) {
  const source = useSource()
  const url = source.mediaUrl(media)
  if (media.type.startsWith('video/')) {
    return <video src={url} controls aria-label="Video" className="max-h-[58vh] w-full rounded-md bg-ground" />
  }
  if (media.type.startsWith('audio/')) return <audio src={url} controls aria-label="Sound" className="w-full" />
  return (
    <figure className="flex flex-col gap-1">
      <img
        src={url}
        width={media.width}
        height={media.height}
        alt={label || 'Picture'}
        className="max-h-[58vh] w-full rounded-md bg-ground object-contain"
      />
      {label !== '' && <figcaption className="text-[13px] text-quiet">{label}</figcaption>}
    </figure>
  )
}

function Thumb({ picture: { media, label } }: { picture: LabelledPicture }) {
  const source = useSource()
  return (
    <img
      src={source.mediaUrl(media)}
      width={media.width}
      height={media.height}
      alt={label || 'Picture'}
      title={label}
      loading="lazy"
      className="h-14 w-auto"
    />
  )
}
