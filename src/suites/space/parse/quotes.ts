/**
 * A text without the quotes around it, as many as there are. By hand: a pattern for quotes at the end looks at every row of
 * quotes from each of its places, which takes minutes for a reply that is nothing else.
 */
export function stripQuotes(text: string, quotes = `"'`): string {
  const isQuote = (at: number): boolean => quotes.includes(text[at]!)
  let from = 0
  let to = text.length
  while (from < to && isQuote(from)) from++
  while (to > from && isQuote(to - 1)) to--
  return text.slice(from, to)
}
