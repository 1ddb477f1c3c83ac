export {
  type Camera,
  fieldOfView,
  focalLength,
  fromMatrix,
  fromYawPitch,
  type Lens,
  lookAlong,
  lookAt,
  parallel,
  type Pose,
  project,
  toMatrix,
  topDown,
  unproject,
  type Vec3,
} from './camera.ts'
export { NO_TRIANGLE, type Picture, type RenderOptions } from './picture.ts'
export { prepareScene, type PrepareOptions } from './prepare.ts'
export { RenderPool } from './pool.ts'
export { Renderer, RENDERER } from './renderer.ts'
export { PreparedScene } from './scene.ts'
export { checkSides } from './view.ts'
export { type Overlay, WideShot, type WideShotOptions } from './wide-shot.ts'
