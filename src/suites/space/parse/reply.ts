/** Finds the answer in a reply. */
import { dropThinking, pythonStrip, truthy } from '../../../suite.ts'
import type { Profile } from '../domain/profile.ts'
import { allBetween, between } from './between.ts'
import { fencedObjects, readMapText } from './published-json.ts'

const FINAL_ANSWER = /FINAL ANSWER:/gi
/** GLM models wrap answers in these. */
const BOX_TOKENS = /<\|(?:begin|end)_of_box\|>/g

export interface ParsedReply {
  thoughts: string
  answer: string
}

/**
 * Splits a reply into reasoning and answer. Profile `upstream` takes the text after the first `FINAL ANSWER:`, else an
 * `<answer>` tag, else everything. Profile `fixed` drops marked thinking blocks and takes the text after the last
 * non-empty `FINAL ANSWER:`, because the words also occur in reasoning.
 */
export function parseReply(reply: string, profile: Profile): ParsedReply {
  return profile === 'upstream' ? parseUpstream(reply) : parseFixed(reply)
}

export function answerOf(reply: string, profile: Profile): string {
  return parseReply(reply, profile).answer
}

/** As Python folds case: with `u`, the long s and the Kelvin sign match too. */
const PUBLISHED = {
  answerLabel: /FINAL ANSWER:/iu,
  thinkLabel: /THINK:/iu,
  answer: [/<answer>/iu, /<\/answer>/iu],
  think: [/<think>/iu, /<\/think>/iu],
  map: [/<cogmap>/iu, /<\/cogmap>/iu],
} as const

function parseUpstream(reply: string): ParsedReply {
  const label = PUBLISHED.answerLabel.exec(reply)
  let answer = label === null ? '' : pythonStrip(reply.slice(label.index + label[0].length))
  if (answer === '') answer = pythonStrip(between(reply, ...PUBLISHED.answer)?.inside ?? '')
  if (answer === '') answer = pythonStrip(reply)
  const think = PUBLISHED.thinkLabel.exec(reply)
  let thoughts = ''
  if (think) {
    const rest = reply.slice(think.index + think[0].length)
    const end = rest.search(PUBLISHED.answerLabel)
    thoughts = pythonStrip(end < 0 ? rest : rest.slice(0, end))
  }
  if (thoughts === '') thoughts = pythonStrip(between(reply, ...PUBLISHED.think)?.inside ?? '')
  return { thoughts, answer: pythonStrip(answer.replace(BOX_TOKENS, '')) }
}

/** Only the end of longer replies is parsed: no model writes that much, and the answer comes last. */
const MAX_REPLY_LENGTH = 100_000

/** Markdown left over from the label: `**FINAL ANSWER:** north` leaves `** north`. */
const LABEL_REST = /^[*_`#\s]+/

function parseFixed(reply: string): ParsedReply {
  const { text, thinking } = dropThinking(reply.length > MAX_REPLY_LENGTH ? reply.slice(-MAX_REPLY_LENGTH) : reply)
  const labels = [...text.matchAll(FINAL_ANSWER)]
  for (let i = labels.length - 1; i >= 0; i--) {
    const { index } = labels[i]!
    const end = labels[i + 1]?.index ?? text.length
    const answer = inAnswerTag(stripBoxTokens(text.slice(index + 'FINAL ANSWER:'.length, end).replace(LABEL_REST, '')))
    if (answer !== '') return { thoughts: joined(thinking, thoughtsIn(text.slice(0, index))), answer }
  }
  const tag = lastAnswerTag(text)
  if (tag !== null) return { thoughts: joined(thinking, ''), answer: stripBoxTokens(tag) }
  // Reasoning alone is not an answer.
  const bare = /^\s*THINK:/i.test(text) ? '' : stripBoxTokens(text)
  return { thoughts: joined(thinking, bare === '' ? thoughtsIn(text) : ''), answer: bare }
}

function inAnswerTag(answer: string): string {
  return lastAnswerTag(answer) ?? answer
}

function thoughtsIn(before: string): string {
  return before.replace(/^[\s\S]*?THINK:/i, '').trim()
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

function stripBoxTokens(answer: string): string {
  return answer.replace(BOX_TOKENS, '').trim()
}

/** Content of the last `<answer>…</answer>`; an unclosed tag extends to the end. */
function lastAnswerTag(text: string): string | null {
  const open = [...text.matchAll(/<answer>/gi)].at(-1)
  if (open === undefined) return null
  const rest = text.slice(open.index + open[0].length)
  const close = rest.search(/<\/answer>/i)
  return (close < 0 ? rest : rest.slice(0, close)).trim()
}

export interface MapAndAnswer {
  /** The text with the map; null if there is none. */
  map: string | null
  answer: string
}

/**
 * Splits an answer that starts with a map: `<cogmap>…</cogmap><answer>…</answer>`. A fenced block also counts as the map,
 * and the remaining text as the answer.
 */
export function splitMapAndAnswer(content: string, profile: Profile): MapAndAnswer {
  if (profile === 'upstream') return splitUpstream(content)
  const tagged = allBetween(content, /<cogmap>/i, /<\/cogmap>/i)
  const map = (tagged.length > 0 ? tagged : allBetween(content, /```(?:json)?/i, /```/)).at(-1)
  const rest = map ? content.slice(0, map.start) + content.slice(map.end) : content
  return { map: map ? map.inside.trim() : null, answer: (lastAnswerTag(content) ?? rest).trim() }
}

/** A fenced block only counts without an answer tag, without a readable map in tags, and if it is readable itself. */
function splitUpstream(content: string): MapAndAnswer {
  const tagged = between(content, ...PUBLISHED.map)
  const answer = between(content, ...PUBLISHED.answer)
  const map = tagged === null ? null : pythonStrip(tagged.inside)
  if (answer !== null) return { map, answer: pythonStrip(answer.inside) }
  if (tagged !== null && truthy(readMapText(outerBraces(tagged.inside))))
    return { map, answer: without(content, tagged) }
  const [block] = fencedObjects(content)
  if (block !== undefined && readMapText(block.text) !== undefined) {
    return { map: block.text, answer: without(content, block) }
  }
  return { map, answer: tagged === null ? pythonStrip(content) : without(content, tagged) }
}

/** From the first `{` to the last `}`, or the whole text. */
function outerBraces(text: string): string {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')]
  return from >= 0 && to > from ? text.slice(from, to + 1) : pythonStrip(text)
}

function without(content: string, { start, end }: { start: number; end: number }): string {
  return pythonStrip(content.slice(0, start) + content.slice(end))
}
