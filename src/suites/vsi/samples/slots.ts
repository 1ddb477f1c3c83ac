/** Sources that generate questions: every scene has a slot per question, and makes all of them at once. */
import type { OpenedSource } from '../../../suite.ts'
import type { Mode } from '../domain/protocol.ts'
import type { QuestionType } from '../domain/question-types.ts'
import { selectedTypes, type VsiOptions } from '../options.ts'
import type { VsiSample } from './sample.ts'

interface SlottedScenes {
  fingerprint: string
  /** Number of scenes. */
  scenes: number
  /** The type of question that each slot of a scene is meant for. */
  slots: readonly QuestionType[]
  /** Whether no slot of any scene is empty. */
  isComplete: boolean
  cluster: (scene: number) => string
  /** The questions in the slots of a scene. A slot may have one of another type, or none. */
  make: (scene: number) => Promise<readonly (VsiSample | null)[]>
  roots?: Readonly<Record<string, string>>
}

export function slottedSource(
  mode: Mode,
  options: VsiOptions,
  { fingerprint, scenes, slots: all, isComplete, cluster, make, roots }: SlottedScenes,
): OpenedSource<VsiSample> {
  const types = new Set(selectedTypes(options))
  // Without a video the slots of appearance order stay empty, so all suites ask the same other questions.
  const slots = [...all.entries()].filter(([, type]) => mode !== 'explore' || type !== 'obj_appearance_order')
  const outlined = slots.filter(([, type]) => types.has(type))
  const asked = (sample: VsiSample | null | undefined): VsiSample | null =>
    sample && types.has(sample.type) ? sample : null
  return {
    fingerprint,
    count: isComplete && outlined.length === slots.length ? scenes * slots.length : null,
    ...(roots && { roots }),
    async *samples() {
      for (let scene = 0; scene < scenes; scene++) {
        const made = await make(scene)
        yield* slots.flatMap(([slot]) => asked(made[slot]) ?? [])
      }
    },
    *outline() {
      for (let scene = 0; scene < scenes; scene++) {
        for (const [, type] of outlined) yield { cluster: cluster(scene), labels: { type } }
      }
    },
    async at(position) {
      const made = await make(Math.floor(position / outlined.length))
      return asked(made[outlined[position % outlined.length]![0]])
    },
  }
}
