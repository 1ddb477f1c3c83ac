/** `baseline/eye`: builds its own map from depth and object ids, and answers from it. */
import { UserError } from '../../../../suite.ts'
import { letterOf } from '../../domain/belief/fog-probe.ts'
import { perfectMap } from '../perfect.ts'
import type { BaselinePolicy } from '../policy.ts'
import type { Profile } from '../../domain/profile.ts'
import { answerFromText } from '../from-text.ts'
import { nextLook } from './explorer.ts'
import { EyeMemory } from './memory.ts'
import type { Change } from '../../domain/grid/scene.ts'
import type { SeenTurn } from '../../play/baseline-input.ts'

export function eyePolicy(profile: Profile): BaselinePolicy {
  const memories: EyeMemory[] = []
  const memoryOf = (round: number): EyeMemory => (memories[round] ??= new EyeMemory())
  let recorded = 0
  /** Records the turns since the last call and returns the memory of a round. */
  const remember = (seen: readonly SeenTurn[] | undefined, round: number): EyeMemory => {
    for (const turn of seen?.slice(recorded) ?? []) {
      memoryOf(turn.round).record(turn)
      recorded += 1
    }
    return memoryOf(round)
  }
  return {
    explore({ seen, state, round }) {
      if (seen === undefined || seen.some(({ executed, frame }) => frame === null && hasLooked(executed))) {
        throw new UserError('baseline/eye needs depth and object ids, which these images do not have.', {
          hint: 'Use space/vision with --source builtin or scenes.',
        })
      }
      const memory = remember(seen, round)
      const look = state.remaining > 1 ? nextLook(memory) : null
      if (look !== null) return look
      return state.phase === 'exploration' ? 'Term()' : term(changesBetween(memoryOf(round - 1), memory))
    },
    question: ({ seen, question }) => answerFromText(question, remember(seen, 0).scene, profile),
    map({ seen, map, round }) {
      const { scene, pose, entities } = remember(seen, round)
      return perfectMap(map, { scene, pose, observed: new Set(entities.keys()) })
    },
    fog({ seen, probe, state, round }) {
      const memory = remember(seen, round)
      // The probe's image shows letters and player on one map, so its offset to our coordinates is known.
      const [x, y] = [memory.pos[0] - state.pose.pos[0], memory.pos[1] - state.pose.pos[1]]
      const unexplored = probe.candidates.flatMap((cell, i) =>
        memory.hasSeen([cell[0] + x, cell[1] + y]) ? [] : [letterOf(i)],
      )
      return JSON.stringify({ unexplored })
    },
  }
}

function hasLooked(executed: SeenTurn['executed']): boolean {
  return executed.some(({ action }) => action.kind === 'observe')
}

function changesBetween(before: EyeMemory, after: EyeMemory): Change[] {
  return [...after.entities.values()].flatMap((entity): Change[] => {
    const { name } = entity.label
    const old = before.entities.get(name)
    if (old === undefined) return []
    if (old.pos[0] !== entity.pos[0] || old.pos[1] !== entity.pos[1]) return [{ name, kind: 'position' }]
    return String(before.facing(old)) === String(after.facing(entity)) ? [] : [{ name, kind: 'orientation' }]
  })
}

function term(changes: readonly Change[]): string {
  const text = changes.map(({ name, kind }) => `${name}: ${kind}`).join(', ')
  return `Term(changes="${text === '' ? 'nothing' : text}")`
}
