/** Replies to the environment: legal and illegal moves, in good and bad form. */
import type { Random } from '../../src/base/random.ts'
import type { ExplorationState } from '../../src/suites/space/domain/explore/exploration.ts'

const DEGREES = ['0', '90', '180', '270', '-90', '-180', '-270', '45', '360', '-0', '007', '090']
const JUNK = [
  'JumpTo (table)',
  'look around',
  'Return()',
  'observe()',
  'Rotate(left)',
  'Observe(now)',
  'a(b)',
  '🪑',
  'Term',
]

/** One reply: mostly a well-formed list of actions, sometimes hostile. */
export function randomReply(random: Random, state: ExplorationState): string {
  const list = random.chance(0.85) ? wellFormed(random, state) : malformed(random, state)
  return inReply(random, list)
}

function nameFor(random: Random, state: ExplorationState): string {
  const known = [...state.lastVisible, ...state.observed]
  const name =
    known.length > 0 && random.chance(0.85)
      ? random.pick(state.lastVisible.length > 0 && random.chance(0.7) ? state.lastVisible : known)
      : random.pick([...state.scene.order, 'unicorn', 'initial_pos', '1', ' ', 'Table'])
  return random.chance(0.1) ? name.replaceAll(' ', '_') : name
}

function motion(random: Random, state: ExplorationState): string {
  return random.chance(0.5)
    ? `Rotate(${random.chance(0.9) ? random.pick(DEGREES.slice(0, 7)) : random.pick(DEGREES)})`
    : `JumpTo(${nameFor(random, state)})`
}

function final(random: Random, state: ExplorationState): string {
  const kind = random.unit()
  if (kind < 0.75) return 'Observe()'
  if (kind < 0.9) return `Query(${nameFor(random, state)})`
  return state.phase === 'exploration' ? 'Term()' : `Term(changes="${randomChanges(random, state.scene.order)}")`
}

export function randomChanges(random: Random, names: readonly string[]): string {
  const kinds = [
    'position',
    'orientation',
    'moved',
    'rotated',
    'facing',
    'composition',
    'new',
    ' POS ',
    'position and facing',
  ]
  return Array.from({ length: random.between(1, 5) }, () => {
    const name = random.chance(0.9) ? random.pick(names) : random.pick(['unicorn', '', "'lamp'"])
    const written = random.chance(0.15) ? name.replaceAll(' ', '_') : name
    return `${written}${random.pick([': ', ':', ' : ', ' ', '::'])}${random.pick(kinds)}`
  }).join(random.pick([', ', ',', '; ', ' , ']))
}

function wellFormed(random: Random, state: ExplorationState): string {
  const end = final(random, state)
  if (end.startsWith('Term') && random.chance(0.9)) return `[${end}]`
  const motions = Array.from({ length: random.pick([0, 0, 1, 1, 2, 3]) }, () => motion(random, state))
  return `[${[...motions, end].join(random.pick([', ', ',', '; ', ' ']))}]`
}

function malformed(random: Random, state: ExplorationState): string {
  const parts = Array.from({ length: random.between(0, 4) }, () =>
    random.pick([
      () => motion(random, state),
      () => final(random, state),
      () => random.pick(JUNK),
      () => random.pick(['[', ']', '\n', ',', '(', ')', '"', '[[', ']]']),
    ])(),
  )
  const text = parts.join(random.pick([', ', ' ', '\n', '] [']))
  return random.pick([`[${text}]`, `[${text}`, text, `[${text}\n]`, `[]\n[${text}]`, `Actions: ${text}]`])
}

/** Around the list: labels, tags, thoughts, several of them. */
export function inReply(random: Random, answer: string): string {
  return random.pick([
    (text: string) => `THINK:\nLet me see.\nFINAL ANSWER:\nActions: ${text}`,
    (text: string) => `FINAL ANSWER: ${text}`,
    (text: string) => `final answer:\n\nActions: ${text}\n`,
    (text: string) => text,
    (text: string) => `Actions: ${text}`,
    (text: string) => `<think>hm</think><answer>${text}</answer>`,
    (text: string) => `THINK: maybe [Observe()]\nFINAL ANSWER: ${text}`,
    (text: string) => `I say FINAL ANSWER: later.\nFINAL ANSWER: ${text}`,
    (text: string) => `FINAL ANSWER: <|begin_of_box|>${text}<|end_of_box|>`,
    (text: string) => `FINAL ANSWER:   \n<answer>${text}</answer>`,
    (text: string) => `\u00a0${text}\u2003`,
    (text: string) => `<ANSWER>${text}`,
    (text: string) => `THINK: ${text}`,
  ])(answer)
}
