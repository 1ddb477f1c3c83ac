/** The first view: one of four directions, chosen by the model or an image metric, or fixed. */
import { bestObject, type Episode } from '../../../suite.ts'
import { fromYawPitch, type Pose } from '../../../world.ts'
import { FIRST_ANGLES, type Profile } from '../domain/protocol.ts'
import type { VsiEvent } from '../events.ts'
import type { CameraSettings } from '../domain/camera.ts'
import { startOf, startPosition } from '../domain/pose.ts'
import { readUpstreamAngle } from '../published/upstream-reply.ts'
import { indexOfMax, laplacianVariance, visibility } from './view-metrics.ts'
import type { VsiSample } from '../samples/sample.ts'
import type { BaselineInput } from './baseline-input.ts'
import { media, type Part, text } from './message-parts.ts'
import type { ExploreOptions } from '../options.ts'
import { firstViewPrompt, promptWith } from '../prompts.ts'
import type { Stage } from '../domain/scene/stage.ts'
import { captureView, type View, withPixels } from './capture-view.ts'

/** Published views are from the center of the bounds; ours move to the nearest spot where a body fits. */
export async function firstView(
  sample: VsiSample,
  episode: Episode<Profile>,
  options: ExploreOptions,
  stage: Stage,
  camera: CameraSettings,
): Promise<View> {
  const published = episode.profile === 'upstream'
  const eye = published ? startPosition(stage.bounds, camera.eyeMeters) : startOf(stage, camera)
  const toward = (angle: number): Pose => fromYawPitch(eye, angle, camera.pitchDegrees)
  const { firstView: chooser, fixedAngle } = options
  if (chooser === 'fixed') return captureView(stage, episode, camera, toward(fixedAngle), { shared: true })
  const candidates: View[] = []
  for (const angle of FIRST_ANGLES) {
    episode.progress('Rendering views', candidates.length, FIRST_ANGLES.length)
    candidates.push(await captureView(stage, episode, camera, toward(angle), { shared: true }))
  }
  if (chooser === 'model') {
    const angle = await askForAngle(sample, episode, options, candidates, published ? readUpstreamAngle : readAngle)
    const index = FIRST_ANGLES.findIndex((each) => each === angle)
    episode.note({
      type: 'vsi/first-view',
      metric: 'model',
      angle: FIRST_ANGLES[Math.max(0, index)]!,
      readable: index >= 0,
    } satisfies VsiEvent)
    return candidates[Math.max(0, index)]!
  }
  const scores = candidates.map(({ pose }) => measureView(chooser, stage, camera, pose))
  const best = indexOfMax(scores)
  episode.note({ type: 'vsi/first-view', metric: chooser, scores, angle: FIRST_ANGLES[best]! } satisfies VsiEvent)
  return candidates[best]!
}

function measureView(chooser: 'visibility' | 'laplacian', stage: Stage, camera: CameraSettings, pose: Pose): number {
  return withPixels(stage, camera, pose, (rgb) =>
    chooser === 'visibility' ? visibility(rgb) : laplacianVariance(rgb, camera.width, camera.height),
  )
}

async function askForAngle(
  sample: VsiSample,
  episode: Episode<Profile>,
  { maxTokens }: ExploreOptions,
  candidates: readonly View[],
  read: (reply: string) => number | null,
): Promise<number | null> {
  const content: Part[] = [
    text(firstViewPrompt(sample)),
    ...candidates.flatMap((view, i) => [text(`View at ${FIRST_ANGLES[i]}°:`), media(view.media)]),
    text(promptWith('first-view-ask')),
  ]
  const baselineInput: BaselineInput = { ask: 'first-view' }
  const how = { temperature: 0, maxTokens, baselineInput, purpose: 'first view' }
  return read((await episode.ask('player', [{ role: 'user', content }], how)).text)
}

function readAngle(reply: string): number | null {
  const value = bestObject(reply, (object) => 'selected_angle' in object)?.value['selected_angle']
  const angle = typeof value === 'string' ? Number.parseFloat(value) : value
  return typeof angle === 'number' ? angle : null
}
