/**
 * Rendering speed of `space/vision`: every anchor of a scene in four headings, 512 × 512, rendered in one thread and
 * encoded. Bar: 60 images per second. Building and lighting a scene is reported separately.
 */
import { quickPng } from '../src/media/quick-png.ts'
import { generateScene } from '../src/suites/space/samples/generate.ts'
import { HEADINGS, type Pose, type Scene } from '../src/suites/space/domain/grid/scene.ts'
import { entitiesOf, poseAt, START } from '../src/suites/space/domain/grid/view.ts'
import { compareViews, emptyAgreement } from '../test/support/suites/space/agreement.ts'
import { buildGridMesh } from '../src/suites/space/domain/vision/build.ts'
import { renderView, depthIdFrame } from '../src/suites/space/domain/vision/images.ts'
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
  // Warm up: building a scene, on its first view, is measured above.
  for (const scene of scenes) renderView(scene, poseAt(scene, START), 'fixed')
  let next = 0
  const draw = (): number => {
    for (let i = 0; i < 20; i++) {
      const { scene, pose } = views[next++ % views.length]!
      renderView(scene, pose, 'fixed')
    }
    return 20
  }
  const images = views.slice(0, 60).map(({ scene, pose }) => renderView(scene, pose, 'fixed').bitmap)
  let bytes = 0
  const encoding = await cpuSeconds(() => {
    for (const bitmap of images) bytes += quickPng(bitmap).length
  })
  const agreement = emptyAgreement()
  for (const scene of scenes) compareViews(scene, 'fixed', agreement)
  const drawnPerSecond = ratePerSecond(draw)
  const picturesPerSecond = 1 / (1 / drawnPerSecond + encoding / images.length)
  const perScene = views.length / SCENES
  return {
    figures: {
      // Rendered and encoded.
      picturesPerSecond,
      drawnPerSecond,
      // All images of a scene, including building it.
      wholeScenePicturesPerSecond: perScene / (building / SCENES + perScene / picturesPerSecond),
      depthAndIdsPerSecond: ratePerSecond(() => {
        for (const { scene, pose } of views.slice(0, 20)) depthIdFrame(scene, pose, 'fixed')
        return 20
      }),
      sceneBuildSeconds: building / SCENES,
      encodeMilliseconds: (encoding / images.length) * 1000,
      kilobytesPerPicture: bytes / images.length / 1000,
      viewsCompared: agreement.views,
      thingsHidden: agreement.hidden,
      thingsElsewhere: agreement.wrong,
    },
    bars: { picturesPerSecond: { atLeast: 60 }, thingsHidden: { atMost: 0 }, thingsElsewhere: { atMost: 0 } },
  }
}

export default bench
