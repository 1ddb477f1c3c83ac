/**
 * How fast scenes of `space/vision` are drawn: every anchor of a scene in four headings, 384 × 384, drawn in
 * one thread and encoded. Bar: 60 pictures per second. Building and lighting a scene is told beside it.
 */
import { quickPng } from '../src/media/quick-png.ts'
import { generateScene } from '../src/suites/space/samples/generate.ts'
import { HEADINGS, type Pose, type Scene } from '../src/suites/space/domain/grid/scene.ts'
import { entitiesOf, poseAt, START } from '../src/suites/space/domain/grid/view.ts'
import { compareViews, noAgreement } from '../test/support/suites/space/agreement.ts'
import { buildGridMesh } from '../src/suites/space/domain/vision/build.ts'
import { drawView, depthIdFrame } from '../src/suites/space/domain/vision/pictures.ts'
import { prepareScene } from '../src/world/render/index.ts'
import { type Bench, cpuSeconds, ratePerSecond } from './harness.ts'

const SCENES = 4

function posesOf(scene: Scene): Pose[] {
  const places = [START, ...entitiesOf(scene)] as const
  return places.flatMap((place) => HEADINGS.map((heading) => poseAt(scene, place, heading)))
}

const bench: Bench = async () => {
  const scenes = Array.from({ length: SCENES }, (_, seed) =>
    generateScene({ seed: `bench/${seed}`, spacing: 'dataset' }),
  )
  const building = await cpuSeconds(() => {
    for (const scene of scenes) prepareScene(buildGridMesh(scene))
  })
  const views = scenes.flatMap((scene) => posesOf(scene).map((pose) => ({ scene, pose })))
  // A scene is built when it is first looked at; that is measured above.
  for (const scene of scenes) drawView(scene, poseAt(scene, START), 'fixed')
  let next = 0
  const draw = (): number => {
    for (let i = 0; i < 20; i++) {
      const { scene, pose } = views[next++ % views.length]!
      drawView(scene, pose, 'fixed')
    }
    return 20
  }
  const pictures = views.slice(0, 60).map(({ scene, pose }) => drawView(scene, pose, 'fixed').bitmap)
  let bytes = 0
  const encoding = await cpuSeconds(() => {
    for (const bitmap of pictures) bytes += quickPng(bitmap).length
  })
  const agreement = noAgreement()
  for (const scene of scenes) compareViews(scene, 'fixed', agreement)
  const drawnPerSecond = ratePerSecond(draw)
  const picturesPerSecond = 1 / (1 / drawnPerSecond + encoding / pictures.length)
  const perScene = views.length / SCENES
  return {
    figures: {
      // Drawn and encoded.
      picturesPerSecond,
      drawnPerSecond,
      // All of a scene's pictures, its building included.
      wholeScenePicturesPerSecond: perScene / (building / SCENES + perScene / picturesPerSecond),
      depthAndIdsPerSecond: ratePerSecond(() => {
        for (const { scene, pose } of views.slice(0, 20)) depthIdFrame(scene, pose, 'fixed')
        return 20
      }),
      sceneBuildSeconds: building / SCENES,
      encodeMilliseconds: (encoding / pictures.length) * 1000,
      kilobytesPerPicture: bytes / pictures.length / 1000,
      viewsCompared: agreement.views,
      thingsHidden: agreement.hidden,
      thingsElsewhere: agreement.wrong,
    },
    bars: { picturesPerSecond: { atLeast: 60 }, thingsHidden: { atMost: 0 }, thingsElsewhere: { atMost: 0 } },
  }
}

export default bench
