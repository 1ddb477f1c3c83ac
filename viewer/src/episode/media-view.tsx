import { useSource } from '../data/hooks.ts'
import { LazyImage } from '../ui/lazy-image.tsx'
import type { MediaData } from './read.ts'

interface MediaViewProps {
  media: MediaData
  label: string
  /** Enlarges the image, if given. */
  open?: ((sha256: string) => void) | undefined
}

/** An image, video or audio player. Space is reserved while it loads. */
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
        <audio src={url} controls preload="metadata" aria-label={label || 'audio'} className="w-full" />
        <Caption label={label} />
      </figure>
    )
  }
  if (!media.type.startsWith('image/')) return <p className="text-xs text-quiet">{media.type}</p>
  const image = (
    <LazyImage
      src={url}
      alt={label || 'image'}
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
          title="Enlarge"
          className="block w-full cursor-zoom-in overflow-hidden rounded border border-line bg-ground"
        >
          {image}
        </button>
      ) : (
        image
      )}
      <Caption label={label} />
    </figure>
  )
}

function Caption({ label }: { label: string }) {
  return label === '' ? null : <figcaption className="mt-0.5 truncate text-[11px] text-quiet">{label}</figcaption>
}
