/** What is played: plain JSON, the same on every machine. */
import type { SampleBase } from '../../../suite.ts'
import type { Question } from '../domain/answers/question.ts'
import type { Revised, Scene } from '../domain/grid/scene.ts'

/** A scene, and what is asked about it. */
export interface SpaceSample extends SampleBase {
  scene: Scene
  questions: readonly Question[]
  /** What changes before the second exploration, where there is one. */
  revision: Revised | null
  /** Where the pictures of a published rendered scene are; absent where pictures are drawn when they are needed. */
  pictures?: PictureFiles
}

export interface PictureFiles {
  /** Name of the folder among the files of the source. */
  key: string
  /** The number of the camera on each object and door, by name. */
  cameras: Readonly<Record<string, string>>
}
