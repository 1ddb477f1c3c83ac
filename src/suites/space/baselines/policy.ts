/** Policies of baselines, and the adapter that turns one into a player that replies in text. */
import { BASELINE_THOUGHT } from '../../../suite.ts'
import type { Baseline, BaselineContext, BaselinePlayer } from '../../../suite.ts'
import type { SpaceSample } from '../samples/sample.ts'
import type { Profile } from '../domain/profile.ts'
import type { SpaceOptions } from '../options.ts'
import type { BaselineInput } from '../play/baseline-input.ts'

type InputOf<Kind extends BaselineInput['kind']> = Extract<BaselineInput, { kind: Kind }>

export interface BaselinePolicy {
  /** `turn` starts at 0 in each phase and after each change. */
  explore(baselineInput: InputOf<'explore'>, turn: number): string
  question(baselineInput: InputOf<'question'>): string
  map(baselineInput: InputOf<'map'>): string
  fog(baselineInput: InputOf<'fog'>): string
}

export type SpaceBaseline = Baseline<SpaceSample, SpaceOptions, Profile>

export type PolicyContext = BaselineContext<SpaceOptions, Profile>

export function baseline(
  title: string,
  createPolicy: (sample: SpaceSample, context: PolicyContext) => BaselinePolicy,
): SpaceBaseline {
  return {
    title,
    start(sample, context): BaselinePlayer {
      const policy = createPolicy(sample, context)
      let turn = 0
      let round = -1
      return ({ baselineInput: given }) => {
        const baselineInput = given as BaselineInput
        switch (baselineInput.kind) {
          case 'explore':
            if (baselineInput.round !== round) turn = 0
            round = baselineInput.round
            return final(`Actions: [${policy.explore(baselineInput, turn++)}]`)
          case 'question':
            return final(
              baselineInput.evaluation === 'own-map'
                ? withMap(policy.question(baselineInput))
                : policy.question(baselineInput),
            )
          case 'map':
            return final(policy.map(baselineInput))
          case 'fog':
            return final(policy.fog(baselineInput))
        }
      }
    },
  }
}

function final(answer: string): string {
  return `THINK:\n${BASELINE_THOUGHT}\nFINAL ANSWER:\n${answer}`
}

function withMap(answer: string): string {
  return `<cogmap>\n{}\n</cogmap>\n<answer>\n${answer}\n</answer>`
}
