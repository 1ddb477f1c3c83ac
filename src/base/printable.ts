/** Text of models, servers and files, made safe to show. */

/** Characters that act on the text around them: they move the cursor, change colors, break the line or reverse it. */
const ACTING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
const ACTING_IN_LINES = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** For one line. */
export function printable(text: string, substitute = '�'): string {
  return text.replace(ACTING, substitute)
}

/** For text of several lines. */
export function printableLines(text: string): string {
  return text.replace(ACTING_IN_LINES, '�')
}
