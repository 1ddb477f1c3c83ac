/** How built-in players go about what they are asked; they answer in words, like any other player. */
import type { Random } from '../../../base/random.ts'
import type { Baseline, BaselinePlayer } from '../../../engine/suite.ts'
import type { Cue, SpaceSample } from '../cases/sample.ts'
import type { SpaceOptions } from '../options.ts'
import type { Profile } from '../domain/profile.ts'

type CueOf<Kind extends Cue['kind']> = Extract<Cue, { kind: Kind }>

export interface Manner {
  /** `turn` counts from 0 in each phase. */
  explore(cue: CueOf<'explore'>, turn: number): string
  question(cue: CueOf<'question'>): string
  map(cue: CueOf<'map'>): string
  fog(cue: CueOf<'fog'>): string
}

export type SpaceBaseline = Baseline<SpaceSample, SpaceOptions>

export interface MannerContext {
  random: Random
  options: SpaceOptions
  profile: Profile
}

export function baseline(
  title: string,
  mannerOf: (sample: SpaceSample, context: MannerContext) => Manner,
): SpaceBaseline {
  return {
    title,
    start(sample, { random, options, profile }): BaselinePlayer {
      const manner = mannerOf(sample, { random, options, profile: profile as Profile })
      let turn = 0
      let phase = ''
      return ({ cue: given }) => {
        const cue = given as Cue
        switch (cue.kind) {
          case 'explore':
            if (cue.state.phase !== phase) turn = 0
            phase = cue.state.phase
            return final(`Actions: [${manner.explore(cue, turn++)}]`)
          case 'question':
            return final(cue.evaluation === 'own-map' ? withMap(manner.question(cue)) : manner.question(cue))
          case 'map':
            return final(manner.map(cue))
          case 'fog':
            return final(manner.fog(cue))
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
