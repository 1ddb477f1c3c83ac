/** `baseline/eye`: reads depth and ids of its pictures, draws a map of its own, and answers from it. */
import { UserError } from '../../../../suite.ts'
import { letterOf } from '../../domain/belief/fog-probe.ts'
import { perfectMap } from '../perfect.ts'
import type { Phase } from '../../parse/actions.ts'
import type { BaselinePolicy } from '../policy.ts'
import type { Profile } from '../../domain/profile.ts'
import { answerFromText } from '../from-text.ts'
import { nextLook } from './explorer.ts'
import { EyeMemory } from './memory.ts'
import type { Change } from '../../domain/grid/scene.ts'
import type { SeenTurn } from '../../play/baseline-input.ts'

export function eyePolicy(profile: Profile): BaselinePolicy {
  const memories: Record<Phase, EyeMemory> = { exploration: new EyeMemory(), 'false-belief': new EyeMemory() }
  let taken = 0
  /** Takes in what was seen since the last time, and gives the memory of the phase that one is in. */
  const remember = (seen: readonly SeenTurn[] | undefined, phase: Phase): EyeMemory => {
    for (const turn of seen?.slice(taken) ?? []) {
      memories[turn.phase].take(turn)
      taken += 1
    }
    return memories[phase]
  }
  return {
    explore({ seen, state }) {
      if (seen === undefined || seen.some(({ executed, frame }) => frame === null && hasLooked(executed))) {
        throw new UserError('baseline/eye reads depth and ids, and these pictures have none.', {
          hint: 'It plays built-in rooms and scenes as JSON: space/vision with --source builtin or scenes.',
        })
      }
      const memory = remember(seen, state.phase)
      const look = state.remaining > 1 ? nextLook(memory) : null
      if (look !== null) return look
      return state.phase === 'exploration' ? 'Term()' : term(changesBetween(memories.exploration, memory))
    },
    question: ({ seen, question }) => answerFromText(question, remember(seen, 'exploration').scene, profile),
    map({ seen, map, state }) {
      const { scene, pose, things } = remember(seen, state.phase)
      return perfectMap(map, { scene, pose, observed: new Set(things.keys()) })
    },
    fog({ seen, probe, state }) {
      const memory = remember(seen, state.phase)
      // The picture of the probe shows the letters and oneself on one map.
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
  return [...after.things.values()].flatMap((thing): Change[] => {
    const { name } = thing.label
    const old = before.things.get(name)
    if (old === undefined) return []
    if (old.pos[0] !== thing.pos[0] || old.pos[1] !== thing.pos[1]) return [{ name, kind: 'position' }]
    return String(before.facing(old)) === String(after.facing(thing)) ? [] : [{ name, kind: 'orientation' }]
  })
}

function term(changes: readonly Change[]): string {
  const said = changes.map(({ name, kind }) => `${name}: ${kind}`).join(', ')
  return `Term(changes="${said === '' ? 'nothing' : said}")`
}
