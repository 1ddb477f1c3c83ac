/** Rules on top of what a detector says about frames, and how prompts are read for them. */

export interface Tally {
  successes: number
  frames: number
}

/** Frames in which an object of exactly this name was found. */
export function objectFrames(object: string, frames: readonly (readonly string[])[]): Tally {
  return { successes: frames.filter((names) => names.includes(object)).length, frames: frames.length }
}

/** Frames in which both of `a and b` were found. */
export function bothObjectsFrames(objects: string, frames: readonly (readonly string[])[]): Tally {
  const wanted = objects.split(' and ')
  return {
    successes: frames.filter((names) => wanted.every((name) => names.includes(name))).length,
    frames: frames.length,
  }
}

/**
 * The object of a color prompt as the published evaluator finds it: "a ", "an " and the color are cut out wherever
 * they stand, inside words too.
 */
export function colourObject(prompt: string, colour: string): string {
  return prompt.replaceAll('a ', '').replaceAll('an ', '').replaceAll(colour, '').trim()
}
