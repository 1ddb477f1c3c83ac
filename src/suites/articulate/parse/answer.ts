/** From a player's reply to a robot: a candidate function, or URDF as it is. */
import { dropThinking, isObject, jsonValues, messageOf, UserError } from '../../../suite.ts'
import { readUrdf, type Robot, writeUrdf } from '../../../world.ts'
import type { PartShelf } from '../domain/assembly/parts.ts'
import type { Profile } from '../domain/profile.ts'
import { cleaned, fenced, unfenced } from './code.ts'
import { ProgramError, runProgram } from './program/index.ts'

export type Built =
  | { kind: 'robot'; robot: Robot; urdf: string; source: string }
  /** There was a program, and it does not work. */
  | { kind: 'error'; source: string; problem: string }
  | { kind: 'nothing'; problem: string }

/** @param language the repaired one, or the published one as it is */
export function buildFrom(reply: string, shelf: PartShelf, language: Profile = 'fixed'): Built {
  const { text } = dropThinking(reply)
  const found = answerIn(text)
  if (!found) return { kind: 'nothing', problem: 'neither a function partnet_<id> nor a <robot> in the reply' }
  const built = build(found.source, found.isUrdf, shelf, language)
  // Functions that it needs may stand in a block of their own.
  const needsMore = built.kind === 'error' && found.before !== '' && built.problem.includes(': NameError: ')
  if (!needsMore) return built
  const whole = build(`${found.before}\n\n${found.source}`, false, shelf, language)
  return whole.kind === 'robot' ? whole : built
}

function build(source: string, isUrdf: boolean, shelf: PartShelf, profile: Profile): Built {
  try {
    const robot = isUrdf ? partsOnly(readUrdf(source).robot, shelf) : runProgram(source, { profile, shelf }).robot()
    return { kind: 'robot', robot, urdf: writeUrdf(robot), source }
  } catch (error) {
    if (error instanceof ProgramError || error instanceof UserError)
      return { kind: 'error', source, problem: messageOf(error) }
    throw error
  }
}

interface Answer {
  source: string
  isUrdf: boolean
  /** Other blocks with functions, before the one that is the answer. */
  before: string
}

const ENTRY = /^[ \t]*(?:>>> |\.\.\. )?def[ \t]+partnet_/m
const FUNCTION = /^[ \t]*(?:>>> |\.\.\. )?(?:async[ \t]+)?def[ \t]+\w+/m
const HELPER = /^[ \t]*(?:def|class|import|from)[ \t]/m
const URDF = /<robot[\s>]/

/** The last block that defines the function or a robot: models draft first and decide last. */
function answerIn(text: string): Answer | null {
  const isCode = text.includes('def ')
  if (!isCode && !text.includes('<robot')) return null
  const blocks = fenced(text).filter((block) => /def |import |class |<robot/.test(block))
  return (
    lastIn(blocks) ??
    (text.includes('</robot>') ? urdf(text) : null) ??
    (isCode ? (lastIn(textsIn(text)) ?? lastIn([unfenced(text) ?? ''])) : null)
  )
}

function lastIn(blocks: readonly string[]): Answer | null {
  const at = [ENTRY, URDF, FUNCTION]
    .map((pattern) => blocks.findLastIndex((block) => pattern.test(block)))
    .find((place) => place >= 0)
  if (at === undefined) return null
  const block = blocks[at]!
  if (!FUNCTION.test(block)) return urdf(block)
  const before = blocks.slice(0, at).filter((other) => !ENTRY.test(other) && HELPER.test(other))
  return { source: cleaned(block), isUrdf: false, before: before.map(cleaned).join('\n\n') }
}

const urdf = (text: string): Answer => ({ source: xmlOf(text), isUrdf: true, before: '' })

/** JSON is looked into up to this length. */
const LONGEST_JSON = 300_000

/** Code that is a text inside JSON: `{"code": "def partnet_1(…"}`. */
function textsIn(text: string): string[] {
  if (text.length > LONGEST_JSON || !/[{,]\s{0,40}["']/.test(text)) return []
  return jsonValues(text).flatMap(({ value }) =>
    Object.values(isObject(value) ? value : {}).flatMap((item) => {
      if (typeof item !== 'string') return []
      const inside = fenced(item)
      return inside.length > 0 ? inside : [item]
    }),
  )
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
