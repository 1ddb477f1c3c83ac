/**
 * The player's action list: `Actions: [ JumpTo(OBJ) | Rotate(DEG) …, Observe() | Query(OBJ) | Term() ]`.
 *
 * Profile `upstream` parses it like the published code. Profile `fixed` uses a tokenizer (action-tokens.ts) that reports
 * what is wrong and where.
 */
import type { Profile } from '../domain/profile.ts'
import { readCalls, type Call } from './action-tokens.ts'
import { stripQuotes } from './quotes.ts'

export type Phase = 'exploration' | 'false-belief'

export type Motion = { kind: 'jump'; name: string } | { kind: 'rotate'; degrees: number }
export type Final = { kind: 'observe' } | { kind: 'query'; name: string } | { kind: 'term'; changes?: string }
export type Action = Motion | Final

export interface ActionList {
  motions: readonly Motion[]
  final: Final
}

/** `at` counts characters of the answer from 1; 0 if the problem has no position. */
export interface ActionError {
  problem: string
  at: number
}

export type ParsedActions = { ok: true; actions: ActionList } | { ok: false; error: ActionError }

/** An action as the player would write it. */
export function actionText(action: Action): string {
  if (action.kind === 'jump') return `JumpTo(${action.name})`
  if (action.kind === 'rotate') return `Rotate(${action.degrees})`
  if (action.kind === 'observe') return 'Observe()'
  if (action.kind === 'query') return `Query(${action.name})`
  return action.changes === undefined ? 'Term()' : `Term(changes="${action.changes}")`
}

/** Parses an answer (the part of a reply after `FINAL ANSWER:`). */
export function parseActions(answer: string, phase: Phase, profile: Profile): ParsedActions {
  return profile === 'upstream' ? parseUpstream(answer, phase) : parseFixed(answer, phase)
}

/** The published environment has one message for all problems. */
const UPSTREAM_PROBLEM: ActionError = { problem: 'You should provide only one final action', at: 0 }

/** The published pattern, with a lookbehind that makes it linear without changing its matches. */
const UPSTREAM_TOKEN = /(?<![A-Za-z])[A-Za-z]+\([^()]*\)/g

/** From the first `[` to the last `]` of the first line that has both in this order. */
function upstreamList(answer: string): string {
  for (const line of answer.split('\n')) {
    const open = line.indexOf('[')
    const close = line.lastIndexOf(']')
    if (open >= 0 && close > open) return line.slice(open + 1, close)
  }
  return ''
}

function parseUpstream(answer: string, phase: Phase): ParsedActions {
  const invalid: ParsedActions = { ok: false, error: UPSTREAM_PROBLEM }
  const tokens = upstreamList(answer).match(UPSTREAM_TOKEN) ?? []
  const actions: Action[] = []
  for (const token of tokens) {
    const action = upstreamAction(token, phase)
    if (action === null) return invalid
    actions.push(action)
  }
  const final = actions.pop()
  const motions = actions.filter(isMotion)
  if (final === undefined || isMotion(final) || motions.length < actions.length) return invalid
  if (final.kind === 'term' && motions.length > 0) return invalid
  return { ok: true, actions: { motions, final } }
}

function upstreamAction(token: string, phase: Phase): Action | null {
  if (token === 'Observe()') return { kind: 'observe' }
  if (token === 'Term()') return phase === 'exploration' ? { kind: 'term' } : null
  const target = /^(JumpTo|Query)\(([A-Za-z0-9_ -]+)\)$/.exec(token)
  if (target) {
    const given = target[2]!
    if (target[1] === 'JumpTo') return { kind: 'jump', name: given.replaceAll('_', ' ') }
    return { kind: 'query', name: given === 'initial_pos' ? given : given.replaceAll('_', ' ') }
  }
  const degrees = /^Rotate\(([0-9-]+)\)$/.exec(token)?.[1]
  // `Rotate(1-2)` crashes the published parser; here it is invalid, because no reply may crash an episode.
  if (degrees !== undefined) return /^-?\d+$/.test(degrees) ? { kind: 'rotate', degrees: Number(degrees) + 0 } : null
  const changes = phase === 'false-belief' ? /^Term\(changes="([^"]+)"\)$/.exec(token)?.[1] : undefined
  return changes === undefined ? null : { kind: 'term', changes }
}

export function isMotion(action: Action): action is Motion {
  return action.kind === 'jump' || action.kind === 'rotate'
}

function fail(problem: string, at: number): ParsedActions {
  return { ok: false, error: { problem, at } }
}

function parseFixed(answer: string, phase: Phase): ParsedActions {
  const read = readCalls(answer)
  if (!read.ok) return read
  const motions: Motion[] = []
  for (let i = 0; i < read.calls.length; i++) {
    const call = read.calls[i]!
    const action = actionOf(call, phase)
    if ('problem' in action) return { ok: false, error: action }
    const last = i === read.calls.length - 1
    if (isMotion(action)) {
      if (last)
        return fail(
          `${actionText(action)} cannot be the last action: end with Observe(), Query(OBJ) or Term()`,
          call.at,
        )
      motions.push(action)
    } else if (!last) {
      return fail(
        `${actionText(action)} must be the last action, but ${read.calls[i + 1]!.word}(…) follows it`,
        call.at,
      )
    } else if (action.kind === 'term' && motions.length > 0) {
      return fail('Term() must stand alone, without other actions', call.at)
    } else return { ok: true, actions: { motions, final: action } }
  }
  return fail('the action list is empty', read.at)
}

function actionOf({ word, argument, at }: Call, phase: Phase): Action | ActionError {
  const action = word.toLowerCase().replaceAll('_', '')
  switch (action) {
    case 'observe':
      return argument === ''
        ? { kind: 'observe' }
        : { problem: `Observe() takes nothing, found "${truncate(argument)}"`, at }
    case 'jumpto':
    case 'query': {
      const name = targetName(argument)
      if (name === '') return { problem: `${word}() needs the name of an object or door`, at }
      return { kind: action === 'jumpto' ? 'jump' : 'query', name }
    }
    case 'rotate': {
      const written = unquoted(argument.replace(ARGUMENT_NAME, '')).replace('−', '-')
      const degrees = /^([+-]?\d{1,15})(?:\.0+)?\s*(?:°|deg|degrees)?(?:\s*clockwise)?$/i.exec(written)?.[1]
      if (degrees === undefined)
        return { problem: `Rotate() needs whole degrees such as 90, found "${truncate(argument)}"`, at }
      return { kind: 'rotate', degrees: Number(degrees) + 0 }
    }
    case 'term':
      return termOf(argument, at, phase)
    default:
      return { problem: `there is no action "${truncate(word)}": use JumpTo, Rotate, Observe, Query or Term`, at }
  }
}

function termOf(argument: string, at: number, phase: Phase): Action | ActionError {
  const changes = /^changes\s*=\s*([\s\S]*)$/i.exec(argument)?.[1]
  if (phase === 'exploration') {
    return argument === '' ? { kind: 'term' } : { problem: 'Term() takes nothing in this phase', at }
  }
  if (changes === undefined) return { problem: 'end this phase with Term(changes="object: change_type, …")', at }
  return { kind: 'term', changes: unquoted(changes) }
}

/** `JumpTo(object="lamp")` */
const ARGUMENT_NAME = /^(?:obj(?:ect)?|name|target|deg(?:rees)?|angle)\s*=\s*/i

const QUOTES = '"\'`“”‘’'

function unquoted(text: string): string {
  return stripQuotes(text.trim(), QUOTES).trim()
}

/** No scene has longer names (see scene-json.ts), and error messages repeat them. */
const MAX_NAME_LENGTH = 100

/** Normalizes quotes, underscores and spaces in a name; `initial_pos` keeps its underscore. */
function targetName(argument: string): string {
  const name = unquoted(argument.replace(ARGUMENT_NAME, ''))
  return /^initial[_ ]pos$/i.test(name)
    ? 'initial_pos'
    : name
        .replace(/[\s_]+/g, ' ')
        .trim()
        .slice(0, MAX_NAME_LENGTH)
}

/** Shortens the player's text for an error message. */
function truncate(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
