/** Stores the path as JSON and drawings of the room from above. */
import type { Episode } from '../../../suite.ts'
import type { VsiSample } from '../samples/sample.ts'
import type { VsiEvent } from '../events.ts'
import type { CameraSettings } from '../domain/camera.ts'
import type { PathStep } from '../domain/outcome.ts'
import type { Stage } from '../domain/scene/stage.ts'
import { drawTopDown } from './top-down.ts'

export async function keepPath(
  { id, question, truth, things }: VsiSample,
  episode: Episode,
  stage: Stage,
  lens: CameraSettings,
  { answer, path }: { answer: string | null; path: readonly PathStep[] },
): Promise<void> {
  // The drawings take as long as several images of the episode.
  if (episode.isUnrecorded === true) return
  const made = { made: 'drawing', scene: stage.hash }
  const json = Buffer.from(JSON.stringify({ sample: id, question, truth, answer, bounds: stage.bounds, path }))
  const title = `${question} Answer: ${answer ?? 'none'}, ground truth: ${truth}`
  const { svg, png, width, height, floor } = await drawTopDown(stage, path, things ?? [], title, { lens })
  const map = { ...made, what: 'map' }
  const kept = {
    path: await episode.keep(json, 'application/json', { ...made, what: 'path' }),
    svg: await episode.keep(Buffer.from(svg), 'image/svg+xml', map, { width, height }),
    png: await episode.keep(png, 'image/png', map, { width, height }),
  }
  const { jpeg, pixelsPerMeter, ...size } = floor
  const room = await episode.keep(jpeg, 'image/jpeg', { ...made, what: 'floor' }, size)
  episode.note({
    type: 'vsi/map',
    path: kept.path.sha256,
    svg: kept.svg.sha256,
    png: kept.png.sha256,
    floor: { picture: room.sha256, ...size, pixelsPerMeter },
  } satisfies VsiEvent)
}
