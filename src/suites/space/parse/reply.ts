/** Finds the answer in a reply. */
import { dropThinking } from '../../../suite.ts'
import type { Profile } from '../domain/profile.ts'
import { allBetween, between } from './between.ts'

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

function parseUpstream(reply: string): ParsedReply {
  const at = reply.search(/FINAL ANSWER:/i)
  let answer = at < 0 ? '' : reply.slice(at + 'FINAL ANSWER:'.length).trim()
  if (answer === '') answer = (between(reply, /<answer>/i, /<\/answer>/i)?.inside ?? '').trim()
  if (answer === '') answer = reply.trim()
  const think = /THINK:/i.exec(reply)
  let thoughts = ''
  if (think) {
    const rest = reply.slice(think.index + think[0].length)
    const end = rest.search(/FINAL ANSWER:/i)
    thoughts = (end < 0 ? rest : rest.slice(0, end)).trim()
  }
  if (thoughts === '') thoughts = (between(reply, /<think>/i, /<\/think>/i)?.inside ?? '').trim()
  return { thoughts, answer: stripBoxTokens(answer) }
}

/** Markdown left over from the label: `**FINAL ANSWER:** north` leaves `** north`. */
const LABEL_REST = /^[*_`#\s]+/

function parseFixed(reply: string): ParsedReply {
  const { text, thinking } = dropThinking(reply)
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
  const tagged = allBetween(content, /<cogmap>/i, /<\/cogmap>/i)
  const maps = tagged.length > 0 ? tagged : allBetween(content, /```(?:json)?/i, /```/)
  const map = profile === 'fixed' ? maps.at(-1) : maps[0]
  const answer =
    profile === 'fixed' ? lastAnswerTag(content) : (between(content, /<answer>/i, /<\/answer>/i)?.inside ?? null)
  const rest = map ? content.slice(0, map.start) + content.slice(map.end) : content
  return { map: map ? map.inside.trim() : null, answer: (answer ?? rest).trim() }
}
