/** What a joint critic calls wrong, as it may be written. */
import { FAILURES, type JointReason } from '../domain/states.ts'

const LONGEST = 240
/** A text that names this many reasons is the list they are chosen from. */
const ALL = 4

const NAMED = /\bjoint[\s_\\-]{0,3}(type|axis|origin|limit)s?\b|\bsuccess(?:ful)?\b/g
const ALONE: readonly (readonly [RegExp, JointReason])[] = [
  [/\b(?:type)\b/, 'joint_type'],
  [/\b(?:axis|axes)\b/, 'joint_axis'],
  [/\b(?:origin|pivot|hinge position)\b/, 'joint_origin'],
  [/\b(?:limits?|range|direction)\b/, 'joint_limit'],
]
const NOTHING =
  /^(?:none|null|n\/?a|nothing|no (?:failure|errors?|issues?|problems?|faults?)\b.*|correct|ok|pass(?:ed)?|all correct)$/
const NEGATED =
  /\b(?:not|isn't|no|without|nor|neither|instead of|rather than|ruled? out|than)\W{0,3}(?:\w+\W{1,3}){0,2}$/

/** The reason that a field names; of several the one that is most severe. Null where it names none, or lists them all. */
export function reasonIn(value: unknown): JointReason | null {
  if (typeof value !== 'string' || value.length > LONGEST) return null
  const text = value
    .toLowerCase()
    .replaceAll(/[*_`"'.,;{}[\]()]+/g, (marks) => (marks === '_' ? '_' : ' '))
    .trim()
  if (NOTHING.test(text)) return 'success'
  const named = new Set(mentions(text).map(({ reason }) => reason))
  if (named.size >= ALL) return null
  const worst = FAILURES.find((failure) => named.has(failure))
  if (worst) return worst
  if (named.has('success')) return 'success'
  const alone = ALONE.filter(([pattern]) => pattern.test(text))
  return alone.length === 1 ? alone[0]![1] : null
}

interface Mention {
  reason: JointReason
  index: number
}

/** Where a text names a reason without denying it. */
function mentions(text: string): Mention[] {
  return [...text.matchAll(NAMED)].flatMap(({ 1: kind, index }): Mention[] => {
    if (NEGATED.test(text.slice(Math.max(0, index - 40), index))) return []
    const reason = kind === undefined ? 'success' : FAILURES.find((failure) => failure === `joint_${kind}`)
    return reason ? [{ reason, index }] : []
  })
}

const CONCLUDES =
  /\b(?:verdict|conclu\w+|therefore|overall|classif\w+|diagnos\w+|categor\w+|answer|final\w*|so,? (?:this|the|i|it)|primary|main|most significant|call (?:this|it)|mark(?:ed)? (?:this|it)|this is|label)\b/g

/** The verdict of prose: the only reason that it names, or the last one on a line that concludes. */
export function verdictIn(text: string): JointReason | null {
  const lower = text.toLowerCase()
  const named = mentions(lower)
  if (named.length === 0) return null
  const [first] = named
  if (named.every(({ reason }) => reason === first!.reason)) return first!.reason
  let concluded: JointReason | null = null
  let at = 0
  for (const { index } of lower.matchAll(CONCLUDES)) {
    while (at < named.length && named[at]!.index < index) at++
    const next = named[at]
    if (next && next.index - index <= LONGEST && !lower.slice(index, next.index).includes('\n\n'))
      concluded = next.reason
  }
  return concluded
}
