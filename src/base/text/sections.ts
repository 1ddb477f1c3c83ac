/** Parts of a reply by the words that announce them. */

/** Lower case for ASCII letters alone: keeps every position where it is. */
function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** What follows the last time the marker is said, whatever its case; null when it is not said at all. */
export function afterLast(text: string, marker: string): string | null {
  const at = lower(text).lastIndexOf(lower(marker))
  return at < 0 || marker === '' ? null : text.slice(at + marker.length)
}

export interface Section {
  marker: string
  /** From the marker to the next one or the end, trimmed. */
  text: string
  start: number
}

/**
 * The text cut at every marker, whatever its case; what comes before the first one is left out. Where several markers
 * match at one place, the longest is meant.
 *
 * @example
 * sections('THINK: it is left\nFINAL ANSWER: B', ['think:', 'final answer:'])
 */
export function sections(text: string, markers: readonly string[]): Section[] {
  const lowered = lower(text)
  const hits: { at: number; marker: string }[] = []
  for (const marker of markers) {
    if (marker === '') continue
    const sought = lower(marker)
    for (let at = lowered.indexOf(sought); at >= 0; at = lowered.indexOf(sought, at + sought.length)) {
      hits.push({ at, marker })
    }
  }
  hits.sort((a, b) => a.at - b.at || b.marker.length - a.marker.length)
  const cut: { at: number; marker: string }[] = []
  let free = 0
  for (const hit of hits) {
    if (hit.at < free) continue
    cut.push(hit)
    free = hit.at + hit.marker.length
  }
  return cut.map(({ at, marker }, i) => ({
    marker,
    text: text.slice(at + marker.length, cut[i + 1]?.at ?? text.length).trim(),
    start: at,
  }))
}

/**
 * What stands between `<tag>` and `</tag>`, every time, trimmed. An opening tag that is never closed reaches to the
 * next one or to the end: replies are cut off.
 *
 * @example
 * tagged('so <answer>B</answer>', 'answer') // ['B']
 */
export function tagged(text: string, tag: string): string[] {
  const lowered = lower(text)
  const opener = `<${lower(tag)}>`
  const closer = `</${lower(tag)}>`
  const found: string[] = []
  let at = lowered.indexOf(opener)
  let nextClose = 0
  while (at >= 0) {
    const from = at + opener.length
    at = lowered.indexOf(opener, from)
    // Ask for the next end only when the last one known is behind: otherwise many openers would each search to the end.
    if (nextClose >= 0 && nextClose < from) nextClose = lowered.indexOf(closer, from)
    const limit = at < 0 ? text.length : at
    const end = nextClose >= 0 && nextClose < limit ? nextClose : limit
    found.push(text.slice(from, end).trim())
  }
  return found
}
