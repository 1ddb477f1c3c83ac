/** The reader of VLMEvalKit for questions with options, where no model is asked what a reply means (`exact_matching`). */

export const REFUSED = Symbol('refused')
/** What it takes for a refusal. */
const REFUSALS = [
  "Sorry, I can't help with images of people yet.",
  "I can't process this file.",
  "I'm sorry, but without the image provided",
  'Cannot determine the answer',
]
/** A letter counts if so few words follow it. */
const LAST_WORDS = 4

/**
 * The only option whose letter is a word of the reply, if it is among the last; else the letter after "answer is"; else the
 * only option whose text a short reply has in it. `REFUSED` ends the reading without an answer, null finds none.
 */
export function vlmevalkitLetter(
  reply: string,
  letters: readonly string[],
  options: readonly string[],
): string | typeof REFUSED | null {
  if (reply.includes('Failed to obtain answer via API')) return textOf(reply, letters, options)
  if (REFUSALS.some((refusal) => reply.includes(refusal))) return REFUSED
  const words = reply
    .replaceAll(/[.()[\],:;!*#{}]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = letters.filter((letter) => words.includes(letter))
  if (found.length === 1 && words.indexOf(found[0]!) >= words.length - LAST_WORDS) return found[0]!
  if (found.length === 0 && words.includes('Z')) return REFUSED
  const stated = /answer\s+is\s+\**([ABCD])/i.exec(reply)?.[1]?.toUpperCase()
  return stated !== undefined && letters.includes(stated) ? stated : textOf(reply, letters, options)
}

function textOf(reply: string, letters: readonly string[], options: readonly string[]): string | null {
  const lengths = options.map((option) => Array.from(option).length)
  if (Array.from(reply).length > 2 * lengths.reduce((sum, length) => sum + length, 0)) return null
  const text = reply.toLowerCase()
  const found = letters.filter((_, i) => text.includes(options[i]!.toLowerCase()))
  return found.length === 1 ? found[0]! : null
}
