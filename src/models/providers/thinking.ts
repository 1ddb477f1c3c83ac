/** Models that think before they answer: which they are, and how many tokens they may think. */
import { isObject } from '../../base/json-object.ts'
import type { ModelOptions } from './options.ts'

/** Thinking budgets in tokens by effort. Anthropic's minimum is 1,024. */
export const THINKING_TOKENS: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 24_576,
}

/** Claude up to 4.5 takes a thinking budget in tokens; later models use adaptive thinking with an effort. */
const CLAUDE_WITH_BUDGET = /^claude-(3|(opus|sonnet|haiku)-4(-[0-5])?(-\d{8})?$)/

/** How a Claude model thinks at an effort. */
export function claudeThinking(
  model: string,
  effort: string,
): { type: 'enabled'; budgetTokens: number } | { type: 'adaptive' } {
  const budgetTokens = THINKING_TOKENS[effort]
  return CLAUDE_WITH_BUDGET.test(model) && budgetTokens !== undefined
    ? { type: 'enabled', budgetTokens }
    : { type: 'adaptive' }
}

/** The name of a Claude model on Bedrock: `us.anthropic.claude-sonnet-4-5-20250929-v1:0` has a region and a version. */
export function claudeName(model: string): string | undefined {
  return /^(?:.*anthropic\.)?(claude-.*?)(?:-v\d+(?::\d+)?)?$/.exec(model)?.[1]
}

/**
 * Added to the limit that a suite sets for the answer, because providers count thinking as output. Chosen with room to
 * spare, not measured: a reply that is still cut off is counted and reported.
 */
const ALLOWANCE = 16_384
const HIGH_ALLOWANCE = 32_768

/** Models that think unless told otherwise. */
const THINKERS = [
  /(^|\/)o[1-9](-|$)/,
  /gpt-(5(?!.*chat)|oss)/,
  /gemini-(2\.5-(?!flash-lite)|[3-9])/,
  /deepseek-(r1|reasoner)/,
  /(qwq|qvq|magistral)/,
  // The first Qwen3 models switch between both; later ones have it in their name.
  /qwen3-\d+(\.\d+)?b(-a\d+b)?(?!.*instruct)/,
  /[-_](thinking|reasoning|reasoner)\b/,
]

/** Tokens that a model may think, in addition to the limit that a suite sets for its answer. */
export function thinkingAllowance(model: string, { sampling: { effort }, extra }: ModelOptions): number {
  if (effort === 'none' || isSwitched(extra, false)) return 0
  const claude = claudeName(model)
  // The SDK adds the budget of these itself.
  if (claude !== undefined && effort !== undefined && claudeThinking(claude, effort).type === 'enabled') return 0
  const thinks =
    effort !== undefined || isSwitched(extra, true) || THINKERS.some((name) => name.test(model.toLowerCase()))
  if (!thinks) return 0
  return effort === undefined || (Object.hasOwn(THINKING_TOKENS, effort) && effort !== 'high')
    ? ALLOWANCE
    : HIGH_ALLOWANCE
}

/** Thinking turned on or off by a field of the server. */
function isSwitched({ chat_template_kwargs: template, thinking }: ModelOptions['extra'], on: boolean): boolean {
  if (isObject(template) && template['enable_thinking'] === on) return true
  return isObject(thinking) && (thinking['type'] === 'disabled') !== on
}
