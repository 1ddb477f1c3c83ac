/**
 * A small prompt suite of our own in the form of the public one, so that every command works with no download. The
 * built-in generator can show what it asks for; only people it has none.
 */
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
    'in a still frame, a kettle on a kitchen table',
    'a suitcase in a corridor, frozen in time',
    'a globe on a desk in a quiet classroom, nothing moves',
    'a café chair in a kitchen before breakfast, still camera',
  ],
  multiple_objects: [
    ['a cup and a laptop', { object: 'cup and laptop' }],
    ['a suitcase and a backpack', { object: 'suitcase and backpack' }],
    ['a chair and a potted plant', { object: 'chair and potted plant' }],
  ],
  human_action: ['A person is playing guitar', 'A person is ironing', 'A person is riding a bike'],
  subject_consistency: [
    'a toy car crossing a kitchen table',
    'a ball rolling across the living room floor',
    'an office chair spinning in an office',
    'a suitcase rolling down a corridor',
  ],
  object_class: [
    ['a bicycle', { object: 'bicycle' }],
    ['a teddy bear', { object: 'teddy bear' }],
    ['a laptop', { object: 'laptop' }],
  ],
  color: [
    ['a red vase', { color: 'red' }],
    ['a green bicycle', { color: 'green' }],
    ['a blue cup', { color: 'blue' }],
  ],
  appearance_style: [
    styled('A bicycle in a workshop', 'watercolor painting'),
    styled('A teddy bear on a table', 'pixel art'),
    styled('An armchair in a living room', 'black and white'),
  ],
  temporal_style: [
    'A bicycle in a workshop, pan left',
    'A globe on a desk in a classroom, zoom in',
    'A potted plant in an office, tilt up',
    'A ball bouncing through the living room, in super slow motion',
  ],
  overall_consistency: [
    'A bicycle in a workshop, watercolor painting',
    'Three blue cups on a kitchen table',
    'three blue cups on a kitchen table',
    'A globe turning on a desk in the morning light of a classroom, close-up.',
  ],
  scene: [
    ['kitchen', { scene: 'kitchen' }],
    ['bathroom', { scene: 'bathroom' }],
    ['classroom', { scene: 'classroom' }],
  ],
  spatial_relationship: [
    relation('cup', 'on the left of', 'laptop'),
    relation('teddy bear', 'on the top of', 'suitcase'),
    relation('chair', 'on the right of', 'potted plant'),
    relation('ball', 'on the bottom of', 'chair'),
  ],
}

const CATEGORY_ROWS: Readonly<Record<Category, readonly string[]>> = {
  animal: ['a teddy bear bouncing through a bedroom', 'two teddy bears on a table'],
  architecture: ['a corridor with a door at its end', 'an empty classroom, pan right'],
  food: ['a fruit bowl turning on a kitchen table', 'a coffee machine and two cups'],
  human: ['a person rolling a suitcase down a corridor', 'a person spinning an office chair'],
  lifestyle: ['a guitar next to an armchair', 'a desk lamp on a table, zoom in'],
  plant: ['a potted plant swaying in a draft', 'two potted plants in a living room'],
  scenery: ['hills behind the window of a living room', 'sunlight on the floor of a kitchen'],
  vehicles: ['a red toy car crossing a table', 'a bicycle riding through a workshop'],
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
    dimensions: DIMENSIONS,
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
