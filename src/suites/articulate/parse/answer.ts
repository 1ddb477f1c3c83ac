/** From a player's reply to a robot: a candidate function, or URDF as it is. */
import { dropThinking, fencedBlocks, messageOf, UserError } from '../../../suite.ts'
import { readUrdf, type Robot, writeUrdf } from '../../../world.ts'
import type { PartShelf } from '../domain/assembly/parts.ts'
import type { Profile } from '../domain/profile.ts'
import { ProgramError, runProgram } from './program/index.ts'

export type Built =
  | { kind: 'robot'; robot: Robot; urdf: string; source: string }
  /** There was a program, and it does not work. */
  | { kind: 'error'; source: string; problem: string }
  | { kind: 'nothing'; problem: string }

/** @param language the repaired one, or the published one as it is */
export function buildFrom(reply: string, shelf: PartShelf, language: Profile = 'fixed'): Built {
  const { text } = dropThinking(reply)
  const found = sourceIn(text)
  if (!found) return { kind: 'nothing', problem: 'neither a function partnet_<id> nor a <robot> in the reply' }
  const { source, isUrdf } = found
  try {
    const robot = isUrdf
      ? partsOnly(readUrdf(source).robot, shelf)
      : runProgram(source, { profile: language, shelf }).robot()
    return { kind: 'robot', robot, urdf: writeUrdf(robot), source }
  } catch (error) {
    if (error instanceof ProgramError || error instanceof UserError)
      return { kind: 'error', source, problem: messageOf(error) }
    throw error
  }
}

/** The last block that defines a function or a robot: models draft first and decide last. */
function sourceIn(text: string): { source: string; isUrdf: boolean } | null {
  const blocks = fencedBlocks(text).map(({ start, end }) => text.slice(start, end).replace(/^\s*\n/, ''))
  for (const block of blocks.toReversed()) {
    if (/^\s*(?:async\s+)?def\s+\w+/m.test(block)) return { source: block, isUrdf: false }
    if (/<robot[\s>]/.test(block)) return { source: xmlOf(block), isUrdf: true }
  }
  if (/<robot[\s>]/.test(text) && text.includes('</robot>')) return { source: xmlOf(text), isUrdf: true }
  const at = text.search(/^(?:from\s+\S+\s+import|import\s+\w|def\s+partnet_)/m)
  return at >= 0 && text.includes('def ') ? { source: text.slice(at), isUrdf: false } : null
}

function xmlOf(text: string): string {
  const start = Math.max(0, text.search(/<\?xml|<robot[\s>]/))
  const end = text.lastIndexOf('</robot>')
  return end < 0 ? text.slice(start) : text.slice(start, end + '</robot>'.length)
}

/** Every link of a robot that a player wrote must be a part that it was given. */
function partsOnly(robot: Robot, shelf: PartShelf): Robot {
  const strange = robot.links.find(({ name }) => !shelf.has(name))
  if (strange) throw new UserError(`There is no part called "${strange.name}". Parts: ${[...shelf.keys()].join(', ')}.`)
  return {
    ...robot,
    links: robot.links.map((link) => ({
      ...link,
      collisions: [],
      // Whatever file it names, a link shows the part of its own name.
      visuals: link.visuals
        .slice(0, 1)
        .map(({ origin }) => ({ origin, geometry: { kind: 'mesh', filename: `${link.name}.obj`, scale: [1, 1, 1] } })),
    })),
  }
}
