/** Verifiers against the published classes: decisions, reasons and state, call by call. */
import { z } from 'zod'
import { PythonError } from '../../src/suites/articulate/published/python.ts'
import { ADAPTIVE_DEFAULTS, Verifier, VERIFIER_DEFAULTS } from '../../src/suites/articulate/play/verifier.ts'
import { type Check, eachCase, firstDifference, listed, verdict } from '../agreement/check.ts'
import { firstOf, number } from './shared.ts'

const verifierCase = z.object({
  name: z.string(),
  class: z.enum(['threshold', 'adaptive']),
  config: z.record(z.string(), z.number()),
  results: z.array(z.record(z.string(), z.unknown())),
  keep_calling_after_stop: z.boolean(),
  reset_before_index: z.number().nullable(),
  should_continue: z.array(z.boolean()),
  stop_index: z.number().nullable(),
  stop_reason_code: z.string().nullable(),
  stop_reason_english: z.string().nullable(),
  stop_reason_raw: z.string().nullable(),
  get_stop_reason_at_end_raw: z.string(),
  state_after_each_call: z.array(
    z.object({ best_score: z.unknown(), no_improvement_count: z.number(), overall_threshold: number }),
  ),
  error: z.object({ index: z.number(), type: z.string(), message: z.string() }).nullable(),
})
const verifierFile = z.object({ cases: listed })

export const verifier: Check = function* (file, _, text) {
  yield* eachCase('cases', verifierFile.parse(file).cases, verifierCase, function* (sample) {
    const { name, results, keep_calling_after_stop } = sample
    // A run has a verifier of its own: nothing is ever reset.
    if (sample.reset_before_index !== null) return
    const ours = new Verifier('upstream', verifierConfig(sample.class, sample.config, configText(text, name)))
    const decisions: boolean[] = []
    const states: unknown[] = []
    let stop: { index: number; code: string; text: string } | null = null
    let error: unknown = null
    for (let i = 0; i < results.length; i++) {
      try {
        const goesOn = ours.shouldContinue(results.slice(0, i + 1).map((record) => nonFinite(record)))
        decisions.push(goesOn)
        states.push(ours.state())
        if (!goesOn && !stop) stop = { index: i, ...ours.stopReason()! }
        if (!goesOn && !keep_calling_after_stop) break
      } catch (thrown) {
        if (!(thrown instanceof PythonError)) throw thrown
        error = { index: i, type: thrown.kind, message: thrown.message }
        break
      }
    }
    yield verdict(
      `cases.${name}`,
      firstOf(
        firstDifference(decisions, sample.should_continue, 'should_continue'),
        firstDifference(stop?.index ?? null, sample.stop_index, 'stop_index'),
        firstDifference(stop?.code ?? null, sample.stop_reason_code, 'code'),
        firstDifference(stop?.text ?? null, sample.stop_reason_english, 'text'),
        firstDifference(stop ? inChinese(stop.text) : null, sample.stop_reason_raw, 'raw text'),
        firstDifference(inChinese(ours.stopReason()?.text), sample.get_stop_reason_at_end_raw, 'reason at the end'),
        firstDifference(
          states,
          sample.state_after_each_call.map((state) => numbersOf(nonFinite(state))),
          'state',
        ),
        firstDifference(error, sample.error, 'error'),
      ),
    )
  })
}

/** Our words for the published ones, in order of use. */
const CHINESE: readonly (readonly [RegExp, string])[] = [
  [/^Reached maximum iterations (.*)$/, '达到最大迭代次数 $1'],
  [/^Reached overall threshold (.*) \(current: (.*)\)$/, '达到整体阈值 $1 (当前分数: $2)'],
  [
    /^Position and joint both reached threshold \(position: (.*), joint: (.*)\)$/,
    '位置和关节都达到阈值 (位置: $1, 关节: $2)',
  ],
  [/^No improvement for (.*) consecutive iterations \(best: (.*)\)$/, '连续 $1 次迭代无改进 (最佳分数: $2)'],
]

/** A reason as the published classes word it; they know none before a stop. */
export function inChinese(text: string | undefined): string {
  if (text === undefined) return '未知原因'
  const found = CHINESE.find(([pattern]) => pattern.test(text))
  return found ? text.replace(...found) : text
}

/** The words nan and inf in scores, and booleans in states, as the numbers they are in Python. */
function nonFinite(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      value === 'nan' ? Number.NaN : value === 'inf' ? Infinity : value === '-inf' ? -Infinity : value,
    ]),
  )
}

/** A state may keep a score that was a boolean; it is the same number. */
function numbersOf(record_: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record_).map(([key, value]) => [key, typeof value === 'boolean' ? Number(value) : value]),
  )
}

/** The text of a case's config: Python tells 8 from 8.0, and JSON once parsed does not. */
function configText(text: string, name: string): string {
  const at = text.indexOf(`"name":${JSON.stringify(name)}`.replaceAll(/\s/g, ''))
  const from = at >= 0 ? at : text.search(new RegExp(`"name":\\s*${JSON.stringify(name)}`))
  const start = text.indexOf('"config"', from)
  return text.slice(start, text.indexOf('}', start) + 1)
}

function verifierConfig(
  kind: 'threshold' | 'adaptive',
  config: Readonly<Record<string, number>>,
  text: string,
): ConstructorParameters<typeof Verifier>[1] {
  const printed = (key: string, otherwise: { value: number; whole: boolean }): { value: number; whole: boolean } => {
    const value = config[key]
    if (value === undefined) return otherwise
    const spelt = new RegExp(`"${key}"\\s*:\\s*([^,}\\s]+)`).exec(text)?.[1] ?? String(value)
    return { value, whole: /^-?\d+$/.test(spelt) }
  }
  const { adaptive } = { adaptive: ADAPTIVE_DEFAULTS.upstream }
  return {
    position_threshold: printed('position_threshold', VERIFIER_DEFAULTS.position_threshold),
    joint_threshold: printed('joint_threshold', VERIFIER_DEFAULTS.joint_threshold),
    overall_threshold: printed('overall_threshold', VERIFIER_DEFAULTS.overall_threshold),
    max_iterations: config['max_iterations'] ?? VERIFIER_DEFAULTS.max_iterations,
    patience: config['patience'] ?? VERIFIER_DEFAULTS.patience,
    adaptive:
      kind === 'threshold'
        ? null
        : {
            threshold_decay: config['threshold_decay'] ?? adaptive.threshold_decay,
            min_threshold: printed('min_threshold', adaptive.min_threshold),
            adaptation_interval: config['adaptation_interval'] ?? adaptive.adaptation_interval,
          },
  }
}
