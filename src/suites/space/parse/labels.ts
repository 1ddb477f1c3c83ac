/** Direction and distance labels, in the spellings that models use. */
import { PYTHON_SPACES } from '../../../suite.ts'
import { CARDINAL_LABELS, DISTANCE_LABELS, EGO_LABELS } from '../domain/grid/relations.ts'

/** Other spellings of a label, from the published scorer. Case, spaces and hyphens are always ignored. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  'front-left': ['left-front', 'fl'],
  'front-right': ['right-front', 'fr'],
  'front-slight-left': ['front slightly left', 'slightly front left', 'slight front left'],
  'front-slight-right': ['front slightly right', 'slightly front right', 'slight front right'],
  'mid distance': ['mid', 'medium', 'medium distance'],
  'same distance': ['same'],
  'extremely far': ['extreme', 'extreme far'],
  north: ['n'],
  south: ['s'],
  east: ['e'],
  west: ['w'],
  'north east': ['ne'],
  'north west': ['nw'],
  'south east': ['se'],
  'south west': ['sw'],
}

const SPACES_AND_HYPHENS = new RegExp(`[${PYTHON_SPACES}-]+`, 'g')

function joined(label: string): string {
  return label.toLowerCase().replace(SPACES_AND_HYPHENS, '')
}

const CANONICAL: ReadonlyMap<string, string> = new Map(
  Object.entries(ALIASES).flatMap(([label, others]) => others.map((other) => [joined(other), joined(label)] as const)),
)

/** The canonical spelling of a label. Other text is returned without spaces and hyphens. */
export function canonicalLabel(label: string): string {
  const plain = joined(label)
  return CANONICAL.get(plain) ?? plain
}

/** Spellings accepted by profile `fixed`. */
const MORE_ALIASES: Readonly<Record<string, readonly string[]>> = {
  ...ALIASES,
  'front-slight-left': [
    ...ALIASES['front-slight-left']!,
    'slightly left',
    'slight left',
    'front-slightly-left',
    'front slightly to the left',
    'slightly to the left',
    'fsl',
  ],
  'front-slight-right': [
    ...ALIASES['front-slight-right']!,
    'slightly right',
    'slight right',
    'front-slightly-right',
    'front slightly to the right',
    'slightly to the right',
    'fsr',
  ],
  front: ['straight ahead', 'directly ahead', 'ahead', 'directly in front', 'in front'],
  'mid distance': [...ALIASES['mid distance']!, 'middle distance', 'mid range', 'middle'],
  'front-left': [...ALIASES['front-left']!, 'front and left', 'to the front left'],
  'front-right': [...ALIASES['front-right']!, 'front and right', 'to the front right'],
  'slightly far': ['slight far', 'a bit far', 'somewhat far'],
  'beyond-fov': ['beyond field of view', 'out of view', 'outside fov', 'behind'],
}

export type LabelKind = 'ego' | 'cardinal' | 'distance'

const KINDS: readonly (readonly [LabelKind, readonly string[]])[] = [
  ['ego', EGO_LABELS],
  ['cardinal', CARDINAL_LABELS],
  ['distance', DISTANCE_LABELS],
]

interface Spelling {
  kind: LabelKind
  label: string
}

/** Every spelling, without spaces and hyphens. */
const SPELLINGS: ReadonlyMap<string, Spelling> = new Map(
  KINDS.flatMap(([kind, labels]) =>
    labels.flatMap((label) =>
      [label, ...(MORE_ALIASES[label] ?? [])].map((spelling) => [joined(spelling), { kind, label }] as const),
    ),
  ),
)

/** Full labels count anywhere; aliases only in short answers, because prose contains "same" and "e". */
const FULL_LABELS: ReadonlySet<string> = new Set(KINDS.flatMap(([, labels]) => labels.map(joined)))

/** Maximum number of words in a label, as in "beyond field of view". */
const MAX_WORDS = 5
/** Answers with at most this many words may use aliases. */
const TERSE_WORDS = 6

export interface FoundLabel extends Spelling {
  /** Start of the label in the text. */
  at: number
}

/** All labels in a text, left to right, the longest at each position. Other words are skipped. */
export function labelsIn(text: string): FoundLabel[] {
  const words = [...text.toLowerCase().matchAll(/[a-z]+/g)].map((match) => ({ word: match[0], at: match.index }))
  const terse = words.length <= TERSE_WORDS
  const found: FoundLabel[] = []
  for (let first = 0; first < words.length;) {
    let taken = 1
    let run = ''
    let best: Spelling | undefined
    for (let length = 1; length <= MAX_WORDS && first + length <= words.length; length++) {
      const { word, at } = words[first + length - 1]!
      const before = words[first + length - 2]
      // Only spaces, hyphens and underscores may separate the words of a label.
      if (length > 1 && !/^[\s_-]*$/.test(text.slice(before!.at + before!.word.length, at))) break
      run += word
      const spelling = SPELLINGS.get(run)
      if (spelling !== undefined && (terse || FULL_LABELS.has(run))) {
        best = spelling
        taken = length
      }
    }
    // "not north" rules it out.
    if (best && words[first - 1]?.word !== 'not') found.push({ ...best, at: words[first]!.at })
    first += taken
  }
  return found
}
