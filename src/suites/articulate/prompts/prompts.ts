/** The protocol's texts: the files of this folder with {placeholders}. Which are the published ones is in NOTES.md. */
import { promptFiles } from '../../../suite.ts'
import type { ArticulatedModel } from '../domain/objects/model.ts'
import type { MotionView } from '../play/pictures/visible.ts'
import { functionName, writeProgram } from '../domain/objects/write-program.ts'

const texts = promptFiles(new URL('./', import.meta.url))
export const { all: allPrompts, fill: promptWith } = texts

function common(model: ArticulatedModel): { object: string; parts: string; api: string } {
  return {
    object: model.title,
    parts: model.parts
      .map(
        ({ name, size }) => `- ${name}: length (x) ${mm(size[0])}, width (y) ${mm(size[1])}, height (z) ${mm(size[2])}`,
      )
      .join('\n'),
    api: api(model).api,
  }
}

/** The program language, and the name of the function. */
export function api(model: ArticulatedModel): { api: string; function: string } {
  const name = functionName(model)
  return { function: name, api: promptWith('api', { function: name, root: model.parts[0]!.name }) }
}

const mm = (metres: number): string => metres.toFixed(4)

export function placePrompt(model: ArticulatedModel): string {
  return promptWith('place', { ...common(model), function: functionName(model) })
}

export function jointPrompt(model: ArticulatedModel, target: string, view: MotionView): string {
  const placement = writeProgram(model, { joints: [] }).trimEnd()
  return promptWith('joint', { ...common(model), target, placement, camera: nearBy(view) })
}

/** Where the camera is, unless it shows the whole object from the front. */
export function nearBy({ view, isClose }: MotionView): string {
  if (!isClose) return ''
  const from = view === 'front' ? '' : `, seen from ${view === 'top' ? 'above' : `the object's ${view}`}`
  return ` (a close-up${from})`
}

export function buildPrompt(model: ArticulatedModel, targets: readonly string[]): string {
  return promptWith('build', { ...common(model), function: functionName(model), targets: targets.join(', ') })
}
