import { badReply } from './failure.ts'

/** JSON of a server's answer. What is cut short or no JSON at all can be asked for again. */
export function parseReply(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const shown = text.slice(0, 80).replaceAll(/\s+/g, ' ').trim()
    throw badReply(
      text.trim() === ''
        ? 'the reply is empty'
        : `the reply is not JSON or was cut short (${text.length} characters, starts with ${JSON.stringify(shown)})`,
    )
  }
}
