/** VBench: a video with its scores, frames and motion, and the other videos of its prompt. */
import { useMemo } from 'react'
import { useSource } from '../../data/hooks.ts'
import type { PanelProps, SuitePanel } from '../../episode/panel.ts'
import type { MeasuredValue, VideoEvent } from '../../../../src/suites/vbench/events.ts'
import { Siblings } from './siblings.tsx'
import { videoIn } from './video.ts'

export const vbenchPanel: SuitePanel = {
  moments: ({ type }, at) => (type === 'vbench/video' ? { at, title: 'measured', kind: 'verdict' } : null),
  title: ({ type, instrument }) => (type === 'measurement' ? `measured: ${spaced(String(instrument))}` : null),
  Panel: VbenchPanel,
}

function VbenchPanel({ episode }: PanelProps) {
  const source = useSource()
  const video = useMemo(() => videoIn(episode.events), [episode.events])
  if (!video) return null
  const { media, clip, frames, flow } = video
  return (
    <div className="flex flex-col gap-3">
      <p className="text-base font-medium [overflow-wrap:anywhere]">{video.prompt}</p>
      {video.text !== video.prompt && (
        <p className="text-[13px] text-quiet [overflow-wrap:anywhere]">Generated with: {video.text}</p>
      )}
      {media && (
        <video
          src={source.mediaUrl(media)}
          controls
          loop
          muted
          preload="metadata"
          aria-label={video.prompt}
          className="max-h-[38vh] w-full rounded-lg bg-black"
        />
      )}
      {clip && (
        <p className="text-[13px] text-quiet tabular-nums">
          {clip.width} × {clip.height}, {clip.frames} frames at {clip.fps} fps, {clip.seconds.toFixed(1)} s
          {video.seed === null ? '' : `, seed ${video.seed}`}
        </p>
      )}
      {frames && <Strip title="Frames over time" sha256={frames.sha256} width={frames.width} height={frames.height} />}
      {flow && (
        <Strip
          title="Motion (hue: direction, intensity: speed)"
          sha256={flow.sha256}
          width={flow.width}
          height={flow.height}
        />
      )}
      <Siblings episode={episode} />
      <Dimensions video={video} />
    </div>
  )
}

interface StripProps {
  title: string
  sha256: string
  width: number | undefined
  height: number | undefined
}

function Strip({ title, sha256, width, height }: StripProps) {
  const source = useSource()
  return (
    <figure className="overflow-hidden rounded-lg border border-line bg-paper">
      <img
        src={source.mediaUrl({ sha256, type: 'image/jpeg' })}
        alt={title}
        width={width}
        height={height}
        className="block h-auto w-full"
      />
      <figcaption className="px-2 py-1 text-[12px] text-quiet">{title}</figcaption>
    </figure>
  )
}

function Dimensions({ video }: { video: VideoEvent }) {
  const rows: [string, MeasuredValue][] = Object.entries(video.dimensions)
  return (
    <section aria-label="Scores by dimension" className="rounded-lg border border-line bg-paper p-3 text-[13px]">
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">Scores by dimension</caption>
        <thead className="text-[12px] text-quiet">
          <tr>
            <th className="font-normal">dimension</th>
            <th className="text-right font-normal">value</th>
            <th className="w-1/4 pl-3 font-normal">tier</th>
            <th className="font-normal">measured by</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, measured]) => (
            <Row key={name} name={spaced(name)} measured={measured} />
          ))}
          {video.still && <Row name="static (filter)" measured={video.still} />}
        </tbody>
      </table>
    </section>
  )
}

function spaced(name: string): string {
  return name.replaceAll('_', ' ')
}

function Row({ name, measured: { value, tier, by, reason } }: { name: string; measured: MeasuredValue }) {
  return (
    <tr className="border-t border-line align-top">
      <td className="py-1 pr-2">{name}</td>
      <td className="py-1 text-right">{value === null ? <span className="text-quiet">–</span> : value.toFixed(4)}</td>
      <td className="py-1 pl-3">{tier ?? ''}</td>
      <td className="py-1 text-quiet [overflow-wrap:anywhere]">{value === null ? (reason ?? 'not measured') : by}</td>
    </tr>
  )
}
