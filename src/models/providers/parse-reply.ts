import { badReply } from './failure.ts'

const BYTE_ORDER_MARK = '\ufeff'

/** Parses a server's JSON. Invalid or truncated JSON is a retryable failure. */
export function parseReply(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  } catch {
    const shown = text.slice(0, 80).replaceAll(/\s+/g, ' ').trim()
    throw badReply(
      text.trim() === ''
        ? 'the reply is empty'
        : `the reply is not valid JSON or is truncated (${text.length} characters, starts with ${JSON.stringify(shown)})`,
    )
  }
}
