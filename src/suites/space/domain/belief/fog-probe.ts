/** The fog probe: a map with lettered cells, of which the player names those it has not seen. */
import { Random } from '../../../../suite.ts'
import type { Fog } from '../explore/fog.ts'
import type { Pose, Scene, Vec } from '../grid/scene.ts'
import { symbolicMap } from '../grid/symbolic-map.ts'
import type { Profile } from '../profile.ts'
import { readFogLetters } from '../../parse/fog-letters.ts'

/** Maximum number of explored, and of unexplored, cells per room. */
const PER_ROOM = 3
const LETTERS = 26

export interface FogProbe {
  /** Cells in letter order. */
  candidates: Vec[]
  /** The candidates that have not been in view. */
  unexplored: Vec[]
}

/**
 * Draws a probe with as many explored as unexplored cells from each visited room. Profile `fixed` adds cells of rooms
 * that were never seen. Null if there are no explored or no unexplored cells to ask about.
 */
export function drawFogProbe(fog: Fog, scene: Scene, pose: Pose, random: Random, profile: Profile): FogProbe | null {
  const rooms = fog.rooms()
  const visited = new Set(fog.visitedRooms())
  // The published code draws from visited rooms only, and raises when letters run out.
  const drawn = profile === 'upstream' ? visited.size : rooms.length
  const most = Math.min(PER_ROOM, Math.floor(LETTERS / (2 * Math.max(1, drawn))))
  const free = (cells: Vec[]): Vec[] => cells.filter(([x, y]) => x !== pose.pos[0] || y !== pose.pos[1])
  const candidates: Vec[] = []
  const unexplored: Vec[] = []
  for (const room of rooms) {
    const hidden = free(fog.unexplored(room))
    const seen = free(fog.explored(room))
    if (visited.has(room)) {
      const count = Math.min(most, hidden.length, seen.length)
      const chosen = random.sample(hidden, count)
      unexplored.push(...chosen)
      candidates.push(...chosen, ...random.sample(seen, count))
    } else if (profile === 'fixed') {
      const chosen = random.sample(hidden, most)
      unexplored.push(...chosen)
      candidates.push(...chosen)
    }
  }
  if (unexplored.length === 0 || candidates.length === unexplored.length) return null
  return { candidates: random.shuffle(candidates), unexplored }
}

/** Depends on sample and turn only, so scoring can draw the same probe again. */
export function fogRandom(sampleId: string, turn: number): Random {
  return new Random(`space/fog/${sampleId}/${turn}`)
}

export function letterOf(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index)
}

/** The map shown in the probe. */
export function fogMapText(probe: FogProbe, scene: Scene, pose: Pose): string {
  const marks = probe.candidates.map((pos, i) => ({ pos, mark: letterOf(i) }))
  return symbolicMap(scene, { agent: pose.pos, marks })
}

/** The correct letters. */
export function unexploredLetters({ candidates, unexplored }: FogProbe): string[] {
  const hidden = new Set(unexplored.map(String))
  return candidates.flatMap((cell, i) => (hidden.has(String(cell)) ? [letterOf(i)] : []))
}

export interface FogScore {
  /** Letters named by the player; letters that are not on the map are ignored. */
  letters: string[]
  precision: number
  recall: number
  f1: number
  /** 0.5 for naming all or none. */
  balancedAccuracy: number
  /** Matthews correlation coefficient, −1 to 1; 0 for naming all or none. */
  mcc: number
  formatError: number
}

export function scoreFogProbe(reply: string, probe: FogProbe, profile: Profile): FogScore {
  const read = readFogLetters(reply, profile)
  const letters = read ?? []
  const cells = cellsForLetters(letters, probe)
  const named = new Set(cells.map(String))
  const hidden = new Set(probe.unexplored.map(String))
  const right = [...named].filter((cell) => hidden.has(cell)).length
  const precision = named.size > 0 ? right / named.size : 0
  const recall = hidden.size > 0 ? right / hidden.size : 0
  const f1 = precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
  const wrong = named.size - right
  const missed = hidden.size - right
  const rejected = probe.candidates.length - hidden.size - wrong
  const specificity = rejected + wrong > 0 ? rejected / (rejected + wrong) : 0
  const spread = Math.sqrt((right + wrong) * (right + missed) * (rejected + wrong) * (rejected + missed))
  return {
    letters,
    precision,
    recall,
    f1,
    balancedAccuracy: read === null ? 0 : (recall + specificity) / 2,
    mcc: spread > 0 ? (right * rejected - wrong * missed) / spread : 0,
    formatError: read === null ? 1 : 0,
  }
}

/** The cells of letters, in order; letters without a cell are skipped. */
export function cellsForLetters(letters: readonly string[], { candidates }: FogProbe): Vec[] {
  return letters.flatMap((letter) => {
    const cell = candidates[letter.charCodeAt(0) - 'A'.charCodeAt(0)]
    return cell === undefined ? [] : [cell]
  })
}
