import { useSource } from '../data/use.ts'
import { NearImage } from '../ui/near-image.tsx'
import type { SeenMedia } from './read.ts'

interface MediaViewProps {
  media: SeenMedia
  label: string
  /** Opens it large; without it, it stays as it is. */
  open?: ((sha256: string) => void) | undefined
}

/** A picture that opens large, a video or a sound that can be played. Its place is kept while it loads. */
export function MediaView({ media, label, open }: MediaViewProps) {
  const source = useSource()
  const url = source.mediaUrl(media)
  const ratio = { aspectRatio: `${media.width ?? 4} / ${media.height ?? 3}` }
  if (media.type.startsWith('video/')) {
    return (
      <figure className="col-span-full">
        <video
          src={url}
          controls
          preload="metadata"
          aria-label={label || 'video'}
          className="w-full rounded"
          style={ratio}
        />
        <Caption label={label} />
      </figure>
    )
  }
  if (media.type.startsWith('audio/')) {
    return (
      <figure className="col-span-full">
        <audio src={url} controls preload="metadata" aria-label={label || 'sound'} className="w-full" />
        <Caption label={label} />
      </figure>
    )
  }
  if (!media.type.startsWith('image/')) return <p className="text-xs text-quiet">{media.type}</p>
  const picture = (
    <NearImage
      src={url}
      alt={label || 'picture'}
      width={media.width}
      height={media.height}
      className="block h-auto w-full object-contain"
      style={ratio}
    />
  )
  return (
    <figure>
      {open ? (
        <button
          type="button"
          onClick={() => open(media.sha256)}
          title="Look at it large"
          className="block w-full cursor-zoom-in overflow-hidden rounded border border-line bg-ground"
        >
          {picture}
        </button>
      ) : (
        picture
      )}
      <Caption label={label} />
    </figure>
  )
}

function Caption({ label }: { label: string }) {
  return label === '' ? null : <figcaption className="mt-0.5 truncate text-[11px] text-quiet">{label}</figcaption>
}
