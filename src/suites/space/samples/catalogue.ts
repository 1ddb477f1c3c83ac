/** What can stand in a generated room, and what doors are called. */

export interface CatalogueItem {
  name: string
  /** Has it a front? */
  oriented: boolean
}

function items(oriented: boolean, names: readonly string[]): CatalogueItem[] {
  return names.map((name) => ({ name, oriented }))
}

/** The published catalogue of the text world. */
export const CATALOGUE: readonly CatalogueItem[] = [
  ...items(true, ['chair', 'sofa', 'bookshelf', 'cabinet', 'television', 'refrigerator', 'microwave', 'oven']),
  ...items(true, ['computer', 'printer', 'scanner', 'monitor', 'projector', 'whiteboard', 'air conditioner']),
  ...items(false, ['table', 'lamp', 'plant', 'vase', 'trash can']),
]

/** Ours, for scenes with more objects than the published catalogue has. */
export const MORE_ITEMS: readonly CatalogueItem[] = [
  ...items(true, ['piano', 'wardrobe', 'dishwasher', 'fireplace', 'mirror', 'dresser', 'bench', 'clock', 'radio']),
  ...items(true, ['sewing machine', 'coffee machine', 'telescope', 'easel', 'rocking horse', 'guitar', 'armchair']),
  ...items(false, ['stool', 'candle', 'basket', 'bucket', 'globe', 'pillow', 'carpet', 'barrel', 'ladder', 'drum']),
]

const DOOR_COLOURS = ['red', 'blue', 'green', 'yellow', 'purple', 'orange', 'black', 'white', 'brown', 'gray']

/** Name of the k-th door, from 0. */
export function doorName(k: number): string {
  const colour = DOOR_COLOURS[k]
  return colour === undefined ? `door ${k}` : `${colour} door`
}
