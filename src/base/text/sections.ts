/** Parts of a reply after a marker or inside a tag. */

/** Lowercases ASCII letters only, so positions do not shift. */
function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The text after the last marker, in any case; null if there is none. */
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
 * Splits the text at every marker, in any case; text before the first one is dropped. Where several markers match at one
 * position, the longest wins.
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
 * The trimmed contents of every `<tag>…</tag>`. An unclosed tag extends to the next one or to the end, as replies may be
 * cut off.
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
    // Search for the next closer only after passing the last one: otherwise many openers would each search to the end.
    if (nextClose >= 0 && nextClose < from) nextClose = lowered.indexOf(closer, from)
    const limit = at < 0 ? text.length : at
    const end = nextClose >= 0 && nextClose < limit ? nextClose : limit
    found.push(text.slice(from, end).trim())
  }
  return found
}
