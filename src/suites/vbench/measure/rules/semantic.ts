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

/** What the published captioner says of a frame: a name of its first object, and a description of each. */
export interface DescribedFrame {
  name: string
  descriptions: readonly string[]
}

const COLORS = 'white red pink blue silver purple orange green gray yellow black grey'.split(' ')

/** Frames in which the object has any color, and those in which it has the wanted one. Words are found inside others. */
export function colorFrames(
  object: string,
  color: string,
  frames: readonly DescribedFrame[],
): { colored: number; right: number } {
  const shown = frames.filter(({ name }) => name === object)
  const having = (colors: readonly string[]) =>
    shown.filter(({ descriptions }) => descriptions.some((text) => colors.some((each) => text.includes(each)))).length
  return { colored: having(COLORS), right: having([color]) }
}

/** Frames whose caption has every word of the scene in it, inside other words too. */
export function sceneFrames(scene: string, captions: readonly string[]): Tally {
  const words = scene.split(' ')
  return {
    successes: captions.filter((caption) => words.every((word) => caption.includes(word))).length,
    frames: captions.length,
  }
}
