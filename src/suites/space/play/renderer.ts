/** Interface of the image sources of `space/vision`. */
import type { Episode, MediaRef } from '../../../suite.ts'
import type { SpaceSample } from '../samples/sample.ts'
import type { FogProbe } from '../domain/belief/fog-probe.ts'
import type { View } from '../domain/explore/views.ts'
import type { Pose, Scene } from '../domain/grid/scene.ts'
import type { Profile } from '../domain/profile.ts'
import type { DepthIdFrame } from '../domain/vision/depth-id-frame.ts'

export interface RenderedView {
  image: MediaRef
  /** Depth and ids of the same view, if available. Computed on demand, because only `baseline/eye` needs them. */
  frame: (() => DepthIdFrame) | null
  /** For the log: names in view that are occluded in the image. */
  hidden: readonly string[]
}

export interface ObservationRenderer {
  /** Images of the first message, in placeholder order. */
  instructions(): Promise<readonly MediaRef[]>
  /** The view of an Observe. In the revision phase, `scene` is the changed scene. */
  observe(view: View, scene: Scene): Promise<RenderedView>
  /** The map of a fog probe. */
  fog(probe: FogProbe, scene: Scene, pose: Pose): Promise<MediaRef>
}

export type OpenRenderer = (sample: SpaceSample, episode: Episode<Profile>) => ObservationRenderer
