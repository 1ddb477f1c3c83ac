/** Published results of VSI-Bench, and what makes a run comparable with them. */
import { mean, optionOf, publishedFile, type PublishedResults, sourceOf } from '../../../suite.ts'
import type { Mode } from '../domain/protocol.ts'
import file from './results.json' with { type: 'json' }

/** The profile that scores as a harness does. */
const PROFILE_OF: Readonly<Record<string, string>> = {
  official: 'official',
  'lmms-eval': 'lmms-eval',
  VLMEvalKit: 'vlmevalkit',
}

/** What the player sees. */
const SEES: Readonly<Record<Mode, string>> = { video: 'video', explore: 'views of its own choice', blind: 'nothing' }

export function publishedResults(mode: Mode): PublishedResults {
  return {
    ...publishedFile.parse(file),
    data: ['vsi-bench'],
    total: (scores) => {
      const types = Object.values(scores)
      return types.some((score) => score === null) ? null : mean(types.map((score) => score!))
    },
    conditions: ({ kind, facts }, run) => {
      const harness = facts['harness'] ?? null
      const common = [
        { what: 'set', published: facts['set']?.replace('?', '') ?? null, run: sourceOf(run).args['set'] ?? 'full' },
        { what: 'scoring', published: harness === null ? null : (PROFILE_OF[harness] ?? null), run: run.profile },
      ]
      if (kind !== 'model') return common
      return [
        { what: 'input', published: SEES.video, run: SEES[mode] },
        ...common,
        ...(mode === 'video'
          ? [
              { what: 'frames', published: facts['frames'] ?? null, run: optionOf(run, 'frames') },
              { what: 'prompts', published: 'leaderboard', run: optionOf(run, 'prompts') },
            ]
          : []),
      ]
    },
  }
}
