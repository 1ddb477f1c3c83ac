/** A small prompt suite of our own in the form of the public one, so that every command works with no download. */
import { hashOf } from '../../../suite.ts'
import {
  CATEGORIES,
  type Category,
  type Dimension,
  DIMENSION_FACTS,
  DIMENSIONS,
  type ListName,
} from '../domain/dimensions.ts'
import { type PromptEntry, type PromptFacts, type PromptSuite, sharedPromptRemarks } from '../domain/prompts.ts'

type Row = string | readonly [prompt: string, facts: PromptFacts]

const relation = (a: string, words: string, b: string): Row => [
  `a ${a} ${words} a ${b}, front view`,
  { relation: { a, b, relation: words } },
]
const styled = (scene: string, style: string): Row => [`${scene}, ${style}`, { style }]

const ROWS: Readonly<Record<ListName, readonly Row[]>> = {
  temporal_flickering: [
    'a kettle on a cold stove, nothing moves',
    'an empty bench under a lamp, frozen in time',
    'a bookshelf in a quiet library, still camera',
    'the façade of an old bakery before dawn, still frame',
  ],
  multiple_objects: [
    ['a cup and a banana', { object: 'cup and banana' }],
    ['a dog and a skateboard', { object: 'dog and skateboard' }],
    ['a laptop and a potted plant', { object: 'laptop and potted plant' }],
  ],
  human_action: ['A person is juggling balls', 'A person is ironing', 'A person is riding a bike'],
  subject_consistency: [
    'a fox trotting along a stone wall',
    'a red kite climbing into the wind',
    'a tram turning round a corner in the rain',
    'a heron wading through shallow water',
  ],
  object_class: [
    ['an umbrella', { object: 'umbrella' }],
    ['a bicycle', { object: 'bicycle' }],
    ['a clock', { object: 'clock' }],
  ],
  color: [
    ['a green bicycle', { color: 'green' }],
    ['an orange clock', { color: 'orange' }],
    ['a blue vase', { color: 'blue' }],
  ],
  appearance_style: [
    styled('A lighthouse above a calm bay', 'watercolor painting'),
    styled('A night train crossing a bridge', 'pixel art'),
    styled('A market square in the morning', 'black and white'),
  ],
  temporal_style: [
    'A lighthouse above a calm bay, pan left',
    'A night train crossing a bridge, zoom in',
    'A market square in the morning, in super slow motion',
  ],
  overall_consistency: [
    'A lighthouse above a calm bay, watercolor painting',
    'A paper boat drifts down a gutter after the rain',
    'a paper boat drifts down a gutter after the rain',
    'Snow falls past the window of a small workshop, close-up.',
  ],
  scene: [
    ['harbour', { scene: 'harbour' }],
    ['train station platform', { scene: 'train station platform' }],
    ['greenhouse', { scene: 'greenhouse' }],
  ],
  spatial_relationship: [
    relation('cup', 'on the left of', 'laptop'),
    relation('bird', 'on the top of', 'suitcase'),
    relation('chair', 'on the right of', 'potted plant'),
    relation('dog', 'on the bottom of', 'bench'),
  ],
}

const CATEGORY_ROWS: Readonly<Record<Category, readonly string[]>> = {
  animal: ['an otter floating on its back', 'two goats on a steep slope'],
  architecture: ['a spiral staircase seen from above', 'an arched bridge in the mist'],
  food: ['dough rising in a bowl', 'steam over a pot of noodles'],
  human: ['a potter shaping a bowl', 'a crowd waiting at a crossing'],
  lifestyle: ['folding laundry at a window', 'a desk with a lamp switched on'],
  plant: ['ivy moving in the wind', 'a fern uncurling'],
  scenery: ['clouds crossing a valley', 'a frozen lake at noon'],
  vehicles: ['a ferry leaving the pier', 'a bus in evening traffic'],
}

/** Which dimensions a list serves, in the order in which the public suite names them. */
function dimensionsOfList(list: ListName): Dimension[] {
  const served = DIMENSIONS.filter((name) => DIMENSION_FACTS[name].list === list)
  return served.sort((a, b) => Number(b === list) - Number(a === list))
}

export function builtinPromptSuite(): PromptSuite {
  const entries = Object.entries(ROWS).flatMap(([list, rows]) =>
    rows.map((row): PromptEntry => {
      const [prompt, facts] = typeof row === 'string' ? [row, {}] : row
      return { prompt, dimensions: dimensionsOfList(list as ListName), facts }
    }),
  )
  return {
    name: 'builtin',
    fingerprint: hashOf([entries, CATEGORY_ROWS]),
    entries,
    categories: CATEGORY_ROWS,
    remarks: [
      `the built-in prompts are our own (${new Set(entries.map(({ prompt }) => prompt)).size} in ${entries.length} entries, ` +
        `${CATEGORIES.length} × 2 by category): scores on them compare with each other, not with published ones`,
      ...sharedPromptRemarks(entries),
    ],
  }
}
