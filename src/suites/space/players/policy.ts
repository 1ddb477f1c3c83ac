/** How built-in players go about what they are asked; they answer in words, like any other player. */
import type { Baseline, BaselineContext, BaselinePlayer } from '../../../suite.ts'
import type { SpaceSample } from '../cases/sample.ts'
import type { Profile } from '../domain/profile.ts'
import type { SpaceOptions } from '../options.ts'
import type { Cue } from '../play/cue.ts'

type CueOf<Kind extends Cue['kind']> = Extract<Cue, { kind: Kind }>

export interface BaselinePolicy {
  /** `turn` counts from 0 in each phase. */
  explore(cue: CueOf<'explore'>, turn: number): string
  question(cue: CueOf<'question'>): string
  map(cue: CueOf<'map'>): string
  fog(cue: CueOf<'fog'>): string
}

export type SpaceBaseline = Baseline<SpaceSample, SpaceOptions, Profile>

export type PolicyContext = BaselineContext<SpaceOptions, Profile>

export function baseline(
  title: string,
  policyOf: (sample: SpaceSample, context: PolicyContext) => BaselinePolicy,
): SpaceBaseline {
  return {
    title,
    start(sample, context): BaselinePlayer {
      const policy = policyOf(sample, context)
      let turn = 0
      let phase = ''
      return ({ cue: given }) => {
        const cue = given as Cue
        switch (cue.kind) {
          case 'explore':
            if (cue.state.phase !== phase) turn = 0
            phase = cue.state.phase
            return final(`Actions: [${policy.explore(cue, turn++)}]`)
          case 'question':
            return final(cue.evaluation === 'own-map' ? withMap(policy.question(cue)) : policy.question(cue))
          case 'map':
            return final(policy.map(cue))
          case 'fog':
            return final(policy.fog(cue))
        }
      }
    },
  }
}

function final(answer: string): string {
  return `THINK:\nI am a baseline.\nFINAL ANSWER:\n${answer}`
}

function withMap(answer: string): string {
  return `<cogmap>\n{}\n</cogmap>\n<answer>\n${answer}\n</answer>`
}
