/** The 3D scene of an episode. Loaded lazily because it depends on three.js. */
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Progress } from '../../data/source.ts'
import { useSource } from '../../data/hooks.ts'
import { formatBytes } from '../../episode/format.ts'
import { loadGlb, type Stage, StageView } from '../../three/index.ts'
import { quietButton } from '../../ui/button.ts'
import { Segmented } from '../../ui/segmented.tsx'
import type { VsiEpisode } from './episode.ts'
import { type CameraMode, RoomStage } from './room-stage.ts'

interface SceneViewProps {
  address: { run: string; index: number; epoch: number }
  episode: VsiEpisode
  /** Index of the current pose in `episode.poses`. */
  current: number
  /** Shown when 3D is not available. */
  fallback: ReactNode
}

const MODES: readonly { value: CameraMode; title: string }[] = [
  { value: 'free', title: 'Free' },
  { value: 'follow', title: 'Follow' },
  { value: 'first-person', title: 'First person' },
]

type Loading = { state: 'loading'; progress?: Progress } | { state: 'ready' } | { state: 'failed'; problem: string }

export function SceneView({ address, episode, current, fallback: instead }: SceneViewProps) {
  const source = useSource()
  const room = useRef<RoomStage>(null)
  const [mode, setMode] = useState<CameraMode>('free')
  const [loading, setLoading] = useState<Loading>({ state: 'loading' })
  const [attempt, setAttempt] = useState(0)
  const latest = useRef({ current, mode })
  latest.current = { current, mode }

  const { run, index, epoch } = address
  const setup = useCallback(
    (stage: Stage) => {
      const made = new RoomStage(stage, episode)
      room.current = made
      made.show(latest.current.current, latest.current.mode)
      let wanted = true
      const onProgress = (progress: Progress): void => {
        if (wanted) setLoading({ state: 'loading', progress })
      }
      const load = async (): Promise<void> => {
        try {
          const glb = await loadGlb(await source.scene(run, index, epoch, onProgress))
          if (!wanted) return
          made.setRoom(glb)
          setLoading({ state: 'ready' })
        } catch (error) {
          if (wanted) setLoading({ state: 'failed', problem: error instanceof Error ? error.message : String(error) })
        }
      }
      void load()
      return () => {
        wanted = false
        room.current = null
        made.dispose()
      }
    },
    [source, episode, run, index, epoch],
  )

  useEffect(() => room.current?.show(current, mode), [current, mode, attempt])
  const picture = episode.poses[current]?.picture
  useEffect(() => {
    if (picture === undefined) return
    let wanted = true
    const load = async (): Promise<void> => {
      const bytes = await source.mediaBytes({ sha256: picture, type: 'image/png' })
      const image = await createImageBitmap(new Blob([bytes]))
      if (wanted) room.current?.setImage(picture, image)
    }
    // Without it, the frustum stays empty.
    load().catch(() => undefined)
    return () => {
      wanted = false
    }
  }, [source, picture, attempt])

  if (loading.state === 'failed') {
    return (
      <div className="flex min-h-0 flex-1 flex-col">
        <p role="status" className="flex flex-wrap items-baseline gap-x-3 px-3 py-2 text-[13px] text-warn">
          {loading.problem}
          <button
            type="button"
            className={quietButton}
            onClick={() => {
              setLoading({ state: 'loading' })
              setAttempt(attempt + 1)
            }}
          >
            Try again
          </button>
        </p>
        {instead}
      </div>
    )
  }
  return (
    <StageView
      key={attempt}
      label={`3D scene, ${current + 1} of ${episode.poses.length} poses shown`}
      setup={setup}
      fallback={instead}
      className="min-h-72 flex-1"
    >
      <div className="absolute left-2 top-2 z-10 flex flex-wrap items-center gap-1">
        <Segmented label="Camera" value={mode} options={MODES} onChange={setMode} />
        {mode === 'free' && (
          <span className="rounded-md border border-line bg-ground">
            <button type="button" className={quietButton} onClick={() => room.current?.lookAtAll()}>
              Overview
            </button>
            <button type="button" className={quietButton} onClick={() => room.current?.lookDown()}>
              Top view
            </button>
          </span>
        )}
      </div>
      {mode === 'first-person' && <Frame lens={episode.lens} />}
      {loading.state === 'loading' && (
        <p
          role="status"
          className="absolute bottom-2 left-2 flex items-center gap-2 rounded-md bg-paper px-2.5 py-1 text-xs text-quiet shadow"
        >
          <span className="spinner size-3 rounded-full border-2 border-line border-t-accent" aria-hidden="true" />
          {loading.progress
            ? `Loading room: ${formatProgress(loading.progress)}`
            : 'Building room; this may take a while'}
        </p>
      )}
    </StageView>
  )
}

function formatProgress({ loaded, total }: Progress): string {
  return total === null ? formatBytes(loaded) : `${formatBytes(loaded)} of ${formatBytes(total)}`
}

/** Outlines the part of the view that the agent saw. */
function Frame({ lens }: { lens: VsiEpisode['lens'] }) {
  return (
    <div className="pointer-events-none absolute inset-0 flex items-center justify-center overflow-hidden [container-type:size]">
      <div
        className="border border-white/60 shadow-[0_0_0_100vmax_rgb(0_0_0/0.45)]"
        style={{
          aspectRatio: `${lens.width} / ${lens.height}`,
          width: `min(100cqw, ${(100 * lens.width) / lens.height}cqh)`,
        }}
      />
    </div>
  )
}
