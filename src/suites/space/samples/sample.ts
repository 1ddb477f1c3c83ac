/** Samples of Theory of Space, as plain JSON. */
import type { SampleBase } from '../../../suite.ts'
import type { Question } from '../domain/answers/question.ts'
import type { RevisedScene, Scene } from '../domain/grid/scene.ts'

/** A scene and its questions. */
export interface SpaceSample extends SampleBase {
  scene: Scene
  questions: readonly Question[]
  /** The changed scene of the revision phase, if there is one. */
  revision: RevisedScene | null
  /** Scenes after further changes, each from the one before; absent if the scene changes once. */
  later?: readonly RevisedScene[]
  /** Images of a published rendered scene; absent if images are rendered on demand. */
  pictures?: ImageFiles
}

export interface ImageFiles {
  /** Key of the folder in the source's files. */
  key: string
  /** Camera id of each object and door, by name. */
  cameras: Readonly<Record<string, string>>
}
