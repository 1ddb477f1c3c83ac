/** Removes a model's thinking from its reply, for all common tags. */

export interface WithoutThinking {
  /** The reply with every thinking block removed. */
  text: string
  /** The removed text, in order, without tags. */
  thinking: string
  /** Problems found: an unclosed block, a closing tag alone. */
  repairs: string[]
}

/** Tags in use: `<think>` and similar, `[THINK]` (Magistral), `◁think▷` (Kimi), `<|begin_of_thought|>`. */
const TAG =
  /<(\/?)(?:seed:)?(?:think|thinking|thought|thoughts|reasoning)\s{0,8}>|\[(\/?)THINK\]|◁(\/?)think▷|<\|(begin|end)_of_thought\|>/gi

/** Harmony replies (gpt-oss) mark the final answer; everything before the last mark is analysis. */
const HARMONY_FINAL = '<|channel|>final<|message|>'

/**
 * @example
 * dropThinking('<think>left… no, right</think>right') // { text: 'right', thinking: 'left… no, right', repairs: [] }
 */
export function dropThinking(reply: string): WithoutThinking {
  const repairs = new Set<string>()
  const kept: string[] = []
  const thinking: string[] = []
  let source = reply
  const final = reply.lastIndexOf(HARMONY_FINAL)
  if (final >= 0) {
    thinking.push(reply.slice(0, final))
    source = reply.slice(final + HARMONY_FINAL.length).replace(/<\|(?:end|return)\|>\s*$/, '')
  }
  let depth = 0
  let from = 0
  for (const match of source.matchAll(TAG)) {
    const closes = match[1] === '/' || match[2] === '/' || match[3] === '/' || match[4]?.toLowerCase() === 'end'
    const until = match.index
    const next = until + match[0].length
    if (!closes) {
      ;(depth === 0 ? kept : thinking).push(source.slice(from, until))
      depth++
    } else if (depth > 0) {
      thinking.push(source.slice(from, until))
      depth--
    } else {
      // Chat templates often open the block themselves, so the reply has only its end: all before it is thinking.
      repairs.add('thinking was never opened')
      for (const piece of kept) thinking.push(piece)
      thinking.push(source.slice(from, until))
      kept.length = 0
    }
    from = next
  }
  if (depth > 0) {
    repairs.add('thinking was never closed')
    thinking.push(source.slice(from))
  } else kept.push(source.slice(from))
  const dropped = thinking.length > 0
  const text = kept.join('')
  return { text: dropped ? text.trim() : text, thinking: thinking.join('').trim(), repairs: [...repairs] }
}
