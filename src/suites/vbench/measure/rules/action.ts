/** Human action: which of the Kinetics classes a clip shows. */

/** The label as the published evaluator reads it, from the name of the file. */
export function actionOfFile(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const beforeDash = name.split('-')[0]!
  const afterPerson = beforeDash.split('person is ').at(-1)!
  return afterPerson.split('_')[0]!
}

const TOP = 5
export const ACTION_CONFIDENCE = 0.85

/** Places of the five likeliest, the likeliest first. */
export function likeliestActions(logits: Float32Array): number[] {
  return [...logits.keys()].sort((a, b) => logits[b]! - logits[a]! || a - b).slice(0, TOP)
}

/** Whether the wanted label is among the five likeliest that the network is sure of. Sigmoid, not softmax. */
export function showsAction(logits: Float32Array, labels: readonly string[], wanted: string): boolean {
  return likeliestActions(logits).some((index) => {
    const probability = 1 / (1 + Math.exp(-logits[index]!))
    return Math.round(probability * 1e4) / 1e4 >= ACTION_CONFIDENCE && labels[index] === wanted
  })
}
