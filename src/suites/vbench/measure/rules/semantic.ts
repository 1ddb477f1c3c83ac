/** Rules on top of what a detector or a captioner says about frames. */

/** Any of these in a caption tells that it speaks about a colour. */
export const COLOUR_WORDS: readonly string[] = [
  'white',
  'red',
  'pink',
  'blue',
  'silver',
  'purple',
  'orange',
  'green',
  'gray',
  'yellow',
  'black',
  'grey',
]

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

/** Frames whose caption has every word of the scene in it, as part of a word too: "bar" is found in "barn". */
export function sceneFrames(scene: string, captions: readonly string[]): Tally {
  const words = scene.split(' ')
  return {
    successes: captions.filter((caption) => words.every((word) => caption.includes(word))).length,
    frames: captions.length,
  }
}

/**
 * The object of a colour prompt as the published evaluator finds it: "a ", "an " and the colour are cut out wherever
 * they stand, inside words too.
 */
export function colourObject(prompt: string, colour: string): string {
  return prompt.replaceAll('a ', '').replaceAll('an ', '').replaceAll(colour, '').trim()
}

export interface Described {
  caption: string
  name: string
}

export interface ColourTally {
  /** Frames with the object and some colour word in its caption. */
  objectFrames: number
  /** Frames with the object and the wanted colour in its caption. */
  colourFrames: number
  /** Null when the object was never seen with a colour: the video does not count. */
  score: number | null
}

export function colourTally(colour: string, object: string, frames: readonly (readonly Described[])[]): ColourTally {
  let objectFrames = 0
  let colourFrames = 0
  for (const boxes of frames) {
    const captions = boxes.filter(({ name }) => name === object).map(({ caption }) => caption)
    if (captions.some((caption) => COLOUR_WORDS.some((word) => caption.includes(word)))) objectFrames++
    if (captions.some((caption) => caption.includes(colour))) colourFrames++
  }
  return { objectFrames, colourFrames, score: objectFrames === 0 ? null : colourFrames / objectFrames }
}
