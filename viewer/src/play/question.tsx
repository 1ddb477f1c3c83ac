/** The prompt as a model receives it: instructions and earlier messages folded, the latest one open with large images. */
import { useEffect, useState } from 'react'
import type { Message } from '../../../src/models/types.ts'
import { useSource } from '../data/hooks.ts'
import { button, card } from '../ui/button.ts'
import { Icon } from '../ui/icon.tsx'
import { PointableImage, type Pointing } from './controls/pointable-image.tsx'
import { type LabeledImage, findQuestion, splitMessage } from './controls/prompt.ts'
import { plural } from '../ui/format.ts'

interface QuestionProps {
  messages: readonly Message[]
  /** Instructions are open where they are new. */
  isFirst: boolean
  /** Show images inline with the text instead of above it. */
  inOrder: boolean
  /** Marks places in the last image. */
  pointing?: Pointing | undefined
}

export function Question({ messages, isFirst, inOrder, pointing }: QuestionProps) {
  const newest = messages.at(-1)
  const before = messages.slice(0, -1)
  const instructions = before.filter(({ role }) => role === 'system')
  const earlier = before.filter(({ role }) => role !== 'system')
  const Message = inOrder ? InlineMessage : SeparatedMessage
  return (
    <section aria-label="Question" className="flex min-w-0 flex-col gap-3">
      {instructions.length > 0 && (
        <details className={`${card} px-4 py-2`} open={isFirst && earlier.length === 0}>
          <summary className="cursor-pointer text-quiet">Instructions</summary>
          <div className="mt-2 flex flex-col gap-3 border-t border-line pt-2">
            {instructions.map((message, i) => (
              <Message key={i} message={message} />
            ))}
          </div>
        </details>
      )}
      {earlier.length > 0 && (
        <details className={`${card} px-4 py-2`}>
          <summary className="cursor-pointer text-quiet">{plural(earlier.length, 'earlier message')}</summary>
          <ol className="mt-2 flex flex-col gap-3">
            {earlier.map((message, i) => (
              // Messages are only appended, so the index is a stable key.
              <li key={i} className="border-t border-line pt-2">
                <p className="text-xs font-medium tracking-wide text-quiet uppercase">
                  {message.role === 'assistant' ? 'you' : 'prompt'}
                </p>
                <Message message={message} />
              </li>
            ))}
          </ol>
        </details>
      )}
      {newest &&
        (inOrder ? (
          <div className={`${card} p-4`}>
            <InlineMessage message={newest} />
          </div>
        ) : (
          <Newest key={messages.length} message={newest} pointing={pointing} />
        ))}
    </section>
  )
}

function SeparatedMessage({ message }: { message: Message }) {
  const { text, images } = splitMessage(message)
  return (
    <>
      <MessageText text={text} />
      <Images images={images} small />
    </>
  )
}

function InlineMessage({ message: { content } }: { message: Message }) {
  if (typeof content === 'string') return <MessageText text={content} />
  return (
    <div className="flex flex-col gap-3">
      {content.map((part, i) =>
        part.type === 'text' ? (
          <MessageText key={i} text={part.text.trim()} />
        ) : (
          <Media key={i} item={{ media: part.media, label: '' }} />
        ),
      )}
    </div>
  )
}

function Newest({ message, pointing }: { message: Message; pointing: Pointing | undefined }) {
  const { text, images } = splitMessage(message)
  const question = findQuestion(text)
  return (
    <div className={`${card} flex flex-col gap-3 p-4`}>
      {question !== null && <p className="text-base font-medium">{question}</p>}
      <Images images={images} pointing={pointing} />
      <MessageText text={text} />
    </div>
  )
}

function MessageText({ text }: { text: string }) {
  return <p className="max-w-prose text-[13px] leading-relaxed [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</p>
}

/** Frames of a clip can be played back. */
const MIN_PLAYABLE_IMAGES = 5
const IMAGE_MS = 300

interface ImagesProps {
  images: readonly LabeledImage[]
  small?: boolean
  pointing?: Pointing | undefined
}

function Images({ images, small = false, pointing }: ImagesProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const [plays, setPlays] = useState(false)
  const count = images.length
  // Shows the latest image until another one is chosen.
  const shown = chosen ?? count - 1
  useEffect(() => {
    if (!plays) return
    const timer = setTimeout(() => {
      setChosen((shown + 1) % count)
      // Plays once and stops at the last image.
      if (shown + 1 === count - 1) setPlays(false)
    }, IMAGE_MS)
    return () => clearTimeout(timer)
  }, [plays, shown, count])
  if (count === 0) return null
  return (
    <div className="flex flex-col gap-2">
      {!small &&
        (pointing && shown === count - 1 ? (
          <PointableImage
            media={images[shown]!.media}
            label={images[shown]!.label || 'Last image'}
            fits
            {...pointing}
          />
        ) : (
          <Media item={images[shown]!} />
        ))}
      {pointing && (
        <p className="text-[13px] text-quiet">
          {shown === count - 1 ? (
            'Click the targets in this image.'
          ) : (
            <>
              Targets are marked in the last image.{' '}
              <button type="button" className="text-accent underline" onClick={() => setChosen(null)}>
                Show it
              </button>
            </>
          )}
        </p>
      )}
      {!small && count >= MIN_PLAYABLE_IMAGES && (
        <button type="button" className={`${button} self-start`} aria-pressed={plays} onClick={() => setPlays(!plays)}>
          <Icon name={plays ? 'pause' : 'play'} className="size-3.5" />
          {plays ? 'Stop' : 'Play images'}
        </button>
      )}
      {(images.length > 1 || small) && (
        <ul className="flex gap-1.5 overflow-x-auto pb-1" aria-label="Images so far">
          {images.map((image, i) => (
            // Images under another label stand apart.
            <li key={i} className={`shrink-0 ${startsGroup(images, i) ? 'ml-4' : ''}`}>
              <button
                type="button"
                aria-pressed={!small && i === shown}
                onClick={() => setChosen(i)}
                className={`block overflow-hidden rounded border-2 ${!small && i === shown ? 'border-accent' : 'border-transparent'}`}
              >
                <Thumbnail item={image} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Whether other images than the ones before it begin here; images with a label each are one row. */
function startsGroup(images: readonly LabeledImage[], at: number): boolean {
  const labels = new Set(images.map(({ label }) => label))
  return at > 0 && labels.size < images.length / 2 && images[at]!.label !== images[at - 1]!.label
}

function Media({ item: { media, label } }: { item: LabeledImage }) {
  const source = useSource()
  const url = source.mediaUrl(media)
  if (media.type.startsWith('video/')) {
    return <video src={url} controls aria-label="Video" className="max-h-[58vh] w-full rounded-md bg-ground" />
  }
  if (media.type.startsWith('audio/')) return <audio src={url} controls aria-label="Audio" className="w-full" />
  return (
    <figure className="flex flex-col gap-1">
      <img
        src={url}
        width={media.width}
        height={media.height}
        alt={label || 'Image'}
        className="max-h-[58vh] w-full rounded-md bg-ground object-contain"
      />
      {label !== '' && <figcaption className="text-[13px] text-quiet">{label}</figcaption>}
    </figure>
  )
}

function Thumbnail({ item: { media, label } }: { item: LabeledImage }) {
  const source = useSource()
  return (
    <img
      src={source.mediaUrl(media)}
      width={media.width}
      height={media.height}
      alt={label || 'Image'}
      title={label}
      loading="lazy"
      className="h-14 w-auto"
    />
  )
}
