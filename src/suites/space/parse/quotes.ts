/**
 * Removes all quotes around a text. Not a regular expression, because a pattern for trailing quotes is quadratic: a reply
 * of nothing but quotes would take minutes.
 */
export function stripQuotes(text: string, quotes = `"'`): string {
  const isQuote = (at: number): boolean => quotes.includes(text[at]!)
  let from = 0
  let to = text.length
  while (from < to && isQuote(from)) from++
  while (to > from && isQuote(to - 1)) to--
  return text.slice(from, to)
}
