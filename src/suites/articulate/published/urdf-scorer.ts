/** The published fork's scorer that asks no model: it counts words and elements in the text of a URDF. */
import { pythonFloat, roundHalfEven } from '../../../suite.ts'

/** Shares from 0 to 1; `total` is their weighted sum. */
export interface UrdfShares {
  type: number
  position: number
  quantity: number
  axis: number
  geometry: number
  total: number
}

export function publishedUrdfShares(urdf: string): UrdfShares {
  const count = (text: string): number => urdf.split(text).length - 1
  const [joints, links] = [count('<joint'), count('<link')]
  const shares = {
    type: joints > 0 ? typeShare(urdf, joints, count) : 0,
    position: (count('<origin') > 0 ? 0.3 : 0) + (count('<axis') > 0 ? 0.3 : 0),
    quantity: links > 1 ? Math.max(1 - Math.abs(joints / links - (links - 1) / links), 0) * 0.4 : 0.2,
    axis: withoutOverflow(() => axisShare(urdf)),
    geometry: withoutOverflow(() => geometryShare(urdf)),
  }
  const { type, position, quantity, axis, geometry } = shares
  return { ...shares, total: Math.min(type * 0.4 + position * 0.2 + quantity * 0.1 + axis * 0.2 + geometry * 0.1, 1) }
}

/** Words stand for kinds of joints wherever they occur: "solid" has a lid. */
function typeShare(urdf: string, joints: number, count: (text: string) => number): number {
  const lower = urdf.toLowerCase()
  const of = (type: string): number => count(`type="${type}"`)
  const kinds = [
    { words: ['sliding', 'lid', 'drawer'], found: of('prismatic') },
    { words: ['hinge', 'door', 'handle'], found: of('revolute') },
    { words: ['wheel', 'continuous'], found: of('continuous') },
  ]
  let share = 0
  for (const { words, found } of kinds) if (words.some((word) => lower.includes(word))) share += found > 0 ? 0.5 : 0.1
  const fixed = of('fixed')
  if (fixed > 0) share += 0.2
  if (fixed > joints * 0.8) share *= 0.3
  if (kinds.every(({ found }) => found === 0)) share *= 0.2
  return share
}

interface WrittenJoint {
  name: string
  /** Looked for between the tags of the joint, where no `type` of its own ever is. */
  type: string | null
  axis: readonly string[] | null
  origin: readonly string[] | null
  isConnected: boolean
}

function writtenJoints(urdf: string): WrittenJoint[] {
  return [...urdf.matchAll(/<joint[^>]*name="([^"]*)"[^>]*>(.*?)<\/joint>/gs)].map(([, name, body]): WrittenJoint => {
    const first = (pattern: RegExp): string | null => pattern.exec(body!)?.[1] ?? null
    const words = (text: string | null): string[] | null => text?.split(/\s+/).filter((word) => word !== '') ?? null
    return {
      name: name!,
      type: first(/type="([^"]*)"/),
      axis: words(first(/<axis[^>]*xyz="([^"]*)"/)),
      origin: words(first(/<origin[^>]*xyz="([^"]*)"/)),
      isConnected: /<parent[^>]*link="[^"]*"/.test(body!) && /<child[^>]*link="[^"]*"/.test(body!),
    }
  })
}

const MOVING = new Set(['revolute', 'continuous', 'prismatic'])

function axisShare(urdf: string): number {
  let share = 0
  for (const { type, axis, origin } of writtenJoints(urdf)) {
    if (type === null) continue
    if (axis === null) {
      if (MOVING.has(type)) share -= 0.15
    } else if (axis.length === 3) {
      const vector = numbersOf(axis)
      if (vector === null) share -= 0.1
      else if (MOVING.has(type)) share += isUnit(vector) ? 0.1 : -0.1
    }
    if (origin?.length !== 3) continue
    const at = numbersOf(origin)
    const distance = at && lengthOf(at)
    if (distance === null) share -= 0.1
    else if (distance > 10) share -= 0.3
    else if (distance > 5) share -= 0.15
  }
  return within(share + 0.5)
}

function geometryShare(urdf: string): number {
  const joints = writtenJoints(urdf)
  // By name, as the published dictionaries are: what a later joint of the same name says replaces it.
  const types = new Map(joints.flatMap(({ name, type }) => (type === null ? [] : [[name, type]])))
  const axes = new Map(
    joints.flatMap(({ name, axis }): [string, number[]][] => {
      const vector = axis?.length === 3 ? numbersOf(axis) : null
      return vector ? [[name, vector]] : []
    }),
  )
  let share = 0.5
  for (const name of new Set(joints.filter(({ isConnected }) => isConnected).map(({ name: own }) => own))) {
    const axis = axes.get(name)
    if (axis && MOVING.has(types.get(name) ?? '')) share += isUnit(axis) ? 0.05 : -0.1
  }
  if (joints.length > 1) {
    const movable = [...types.values()].filter((type) => MOVING.has(type)).length
    share += movable / joints.length > 0.1 ? 0.1 : -0.1
  }
  return within(share)
}

function numbersOf(words: readonly string[]): number[] | null {
  const numbers = words.map((word) => pythonFloat(word))
  return numbers.some((value) => value === null) ? null : numbers.map((value) => value ?? 0)
}

class Overflow extends Error {}

/** Python raises where the square of a number is too large. */
function lengthOf(vector: readonly number[]): number {
  if (vector.some((value) => Number.isFinite(value) && !Number.isFinite(value * value))) throw new Overflow()
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
}

const isUnit = (vector: readonly number[]): boolean => !(Math.abs(lengthOf(vector) - 1) > 0.1)
const within = (share: number): number => Math.max(0, Math.min(1, share))

function withoutOverflow(share: () => number): number {
  try {
    return share()
  } catch (error) {
    if (error instanceof Overflow) return 0.3
    throw error
  }
}

export interface PublishedScores {
  position_score: number
  joint_score: number
  overall_score: number
}

/** On ten points, rounded twice; halves go to the even number. */
export function publishedScores(
  shares: { position: number; joint: number },
  weights: { position: number; joint: number },
): PublishedScores {
  const [position, joint] = [roundHalfEven(shares.position * 10), roundHalfEven(shares.joint * 10)]
  return {
    position_score: position,
    joint_score: joint,
    overall_score: roundHalfEven(weights.position * position + weights.joint * joint),
  }
}
