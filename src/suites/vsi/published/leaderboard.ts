/** Published results of VSI-Bench, and what makes a run comparable with them. */
import { mean, optionOf, publishedFile, type PublishedResults, sourceOf } from '../../../suite.ts'
import type { Mode } from '../domain/protocol.ts'
import { QUESTION_TYPES } from '../domain/question-types.ts'
import { selectedTypes } from '../options.ts'
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
      const { set = 'full', exclude } = sourceOf(run).args
      const types = optionOf(run, 'types') ?? 'all'
      const isAll = selectedTypes({ types }).length === QUESTION_TYPES.length
      const common = [
        { what: 'set', published: facts['set']?.replace('?', '') ?? null, run: set },
        { what: 'question types', published: 'all', run: isAll ? 'all' : types },
        { what: 'doubtful questions', published: 'ask', run: optionOf(run, 'doubtful') ?? 'ask' },
        { what: 'excluded questions', published: 'none', run: exclude === undefined ? 'none' : 'a list' },
        { what: 'scoring', published: harness === null ? null : (PROFILE_OF[harness] ?? null), run: run.profile },
      ]
      if (kind !== 'model') return common
      const isVideo = optionOf(run, 'input') === 'video'
      return [
        { what: 'input', published: SEES.video, run: SEES[mode] },
        ...common,
        { what: 'map', published: 'false', run: optionOf(run, 'map') ?? 'false' },
        ...(mode === 'video'
          ? [
              {
                what: 'frames',
                published: facts['frames'] ?? null,
                run: isVideo ? 'the whole video' : optionOf(run, 'frames'),
              },
              { what: 'order', published: 'pictures-first', run: optionOf(run, 'order') ?? 'pictures-first' },
              { what: 'prompts', published: 'leaderboard', run: optionOf(run, 'prompts') },
            ]
          : []),
      ]
    },
  }
}
