/** Reads a camera pose with a field of view from a reply, or a final answer. */
import { bestObject, hasField, type JsonObject } from '../../../suite.ts'
import { fromMatrix, type Pose } from '../../../world.ts'
import type { Profile } from '../domain/protocol.ts'
import { readAnswer } from '../parse.ts'
import { bracketedSections, upstreamAction, upstreamFinalAnswer } from '../published/upstream-pose.ts'
import type { VsiSample } from '../samples/sample.ts'

/** What the published agent takes where none is given. */
const PUBLISHED_FOV = 60
export const FOV_LIMITS = { min: 30, max: 130 } as const
/** How far the axes may be from unit length and from right angles: replies are rounded. */
const TOLERANCE = 0.05

export interface PoseReply {
  pose: Pose | null
  /** Horizontal, in degrees. */
  fov: number
  answer: string | null
  /** Why the reply is unusable, as told to the player; null if it is usable. */
  problem: string | null
}

const KEYS = ['camera_pose', 'transform', 'position']

/** @param final whether an answer is asked for */
export function readPoseReply(
  text: string,
  sample: VsiSample,
  { final, profile }: { final: boolean; profile: Profile },
): PoseReply {
  const answer = readFinalAnswer(text, sample, final, profile)
  const none = { pose: null, fov: PUBLISHED_FOV, answer }
  if (answer !== null) return { ...none, problem: null }
  if (final) return { ...none, problem: 'it has no [FINAL_ANSWER]' }
  const action =
    profile === 'upstream'
      ? upstreamAction(text)
      : (bestObject(text, (object) => hasField(object, KEYS))?.value ?? null)
  if (action === null) return { ...none, problem: 'it has no [ACTION] with a camera_pose' }
  const fov = typeof action['fov'] === 'number' && Number.isFinite(action['fov']) ? action['fov'] : PUBLISHED_FOV
  const matrix = matrixOf(action)
  if (matrix === null) return { ...none, fov, problem: 'its camera_pose is not a 4 × 4 matrix of numbers' }
  const pose = fromMatrix(matrix)
  if (!isRotation(pose))
    return { ...none, fov, problem: 'the first three columns of its camera_pose are not a rotation' }
  return { pose, fov, answer, problem: null }
}

/** Only the last turn has an answer in the published protocol; ours takes one that is given before, in place of a view. */
function readFinalAnswer(text: string, sample: VsiSample, final: boolean, profile: Profile): string | null {
  if (profile === 'upstream') return final ? upstreamFinalAnswer(text) : null
  const sections = bracketedSections(text)
  const stated = sections.get('FINAL_ANSWER')
  if (stated !== undefined && !sections.has('ACTION')) return readAnswer(stated, sample).answer
  return final ? readAnswer(stated ?? text, sample).answer : null
}

function matrixOf(action: JsonObject): number[] | null {
  for (const key of ['camera_pose', 'transform']) {
    const flat = numbersIn(action[key], 4) ?? (key === 'camera_pose' ? numbersOf(action[key]) : null)
    if (flat?.length === 16) return flat
  }
  const [position, rotation] = [numbersOf(action['position']), numbersIn(action['rotation'], 3)]
  if (position?.length !== 3 || rotation?.length !== 9) return null
  return [0, 1, 2].flatMap((row) => [...rotation.slice(row * 3, row * 3 + 3), position[row]!]).concat(0, 0, 0, 1)
}

/** The numbers of nested rows of equal length, in order. */
function numbersIn(value: unknown, columns: number): number[] | null {
  if (!Array.isArray(value)) return null
  const rows = value.map((row) => numbersOf(row))
  return rows.every((row) => row?.length === columns) ? rows.flatMap((row) => row ?? []) : null
}

function numbersOf(value: unknown): number[] | null {
  if (!Array.isArray(value)) return null
  const numbers = value.filter((each): each is number => typeof each === 'number' && Number.isFinite(each))
  return numbers.length === value.length ? numbers : null
}

function isRotation({ right, down, forward }: Pose): boolean {
  const dot = (a: Pose['right'], b: Pose['right']): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
  const near = (value: number, wanted: number): boolean => Math.abs(value - wanted) <= TOLERANCE
  const determinant =
    right[0] * (down[1] * forward[2] - down[2] * forward[1]) +
    right[1] * (down[2] * forward[0] - down[0] * forward[2]) +
    right[2] * (down[0] * forward[1] - down[1] * forward[0])
  return (
    [right, down, forward].every((axis) => near(dot(axis, axis), 1)) &&
    [dot(right, down), dot(right, forward), dot(down, forward)].every((product) => near(product, 0)) &&
    determinant > 0
  )
}
