/** What a suite with pictures adds to the conversation; in `space/text` there is none. */
import type { Episode, MediaRef } from '../../../suite.ts'
import type { SpaceSample } from '../samples/sample.ts'
import type { FogProbe } from '../domain/belief/fog-probe.ts'
import type { View } from '../domain/explore/views.ts'
import type { Pose, Scene } from '../domain/grid/scene.ts'
import type { Profile } from '../domain/profile.ts'
import type { DepthIdFrame } from '../domain/vision/depth-id-frame.ts'

export interface RenderedView {
  picture: MediaRef
  /** Depth and ids of the same view, where they are known. Made when asked for: only one built-in player does. */
  frame: (() => DepthIdFrame) | null
  /** For the log: things of the view that cannot be seen in its picture because something is before them. */
  hidden: readonly string[]
}

export interface ObservationRenderer {
  /** Pictures of the first message, in the order of their places in it. */
  instructions(): Promise<readonly MediaRef[]>
  /** The view of an Observe. `scene` is the changed one in the second exploration. */
  observe(view: View, scene: Scene): Promise<RenderedView>
  /** The map of a fog probe. */
  fog(probe: FogProbe, scene: Scene, pose: Pose): Promise<MediaRef>
}

export type OpenRenderer = (sample: SpaceSample, episode: Episode<Profile>) => ObservationRenderer
