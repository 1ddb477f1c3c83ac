/** The estimated cost of a run, printed before it starts. */
import { parseBudget } from '../../engine/budget.ts'
import { isBatched } from '../../engine/estimate.ts'
import { isLocal } from '../../engine/plan.ts'
import type { Estimate } from '../../models/prices.ts'
import type { RunHeader } from '../../store/records.ts'
import { formatUsd } from '../../report/format.ts'
import { plural } from '../../base/plural.ts'

export function estimateLine(
  { planned, models, budget, modelOptions }: Pick<RunHeader, 'planned' | 'models' | 'budget' | 'modelOptions'>,
  estimate: Estimate | null,
): string {
  const episodes = plural(planned, 'episode')
  if (!estimate) return `${episodes}; no cost estimate for this suite.`
  const { calls, inputTokens, outputTokens, usd, usdCached } = estimate
  const thousands = (tokens: number): string => `${Math.round(tokens / 1000).toLocaleString('en')}k`
  const parts = [
    episodes,
    plural(calls, 'call'),
    `${thousands(inputTokens)} tokens in`,
    `${thousands(outputTokens)} out`,
    usd === null
      ? 'price unknown (see --prices)'
      : `about ${formatUsd(usd)} at ${listPrice(models, isBatched({ modelOptions }) ? 'batch price' : 'list price')}`,
    ...(usdCached === null ? [] : [`${formatUsd(usdCached)} with prompt caching`]),
  ]
  const warning = exceeds(estimate, budget)
    ? ' This exceeds the budget: the run may stop early and can be resumed.'
    : ''
  return `Estimate: ${parts.join(', ')}.${warning}`
}

function exceeds({ inputTokens, outputTokens, usd }: Estimate, budget: string | null): boolean {
  if (budget === null) return false
  const limit = parseBudget(budget)
  return 'usd' in limit ? usd !== null && usd > limit.usd : inputTokens + outputTokens > limit.tokens
}

/** Estimates use the player's price only. */
function listPrice(models: RunHeader['models'], price: string): string {
  const others = Object.entries(models)
    .filter(([role, model]) => role !== 'player' && model !== models['player'] && !isLocal({ [role]: model }))
    .map(([role]) => role)
  return others.length === 0 ? price : `the player's ${price}, ${others.join(' and ')} not included`
}
