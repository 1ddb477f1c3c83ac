/** Objects of generated rooms, and names of doors. */

export interface CatalogItem {
  name: string
  /** Does it have a front? */
  oriented: boolean
}

function items(oriented: boolean, names: readonly string[]): CatalogItem[] {
  return names.map((name) => ({ name, oriented }))
}

/** The published catalog of the text world. */
export const CATALOG: readonly CatalogItem[] = [
  ...items(true, ['chair', 'sofa', 'bookshelf', 'cabinet', 'television', 'refrigerator', 'microwave', 'oven']),
  ...items(true, ['computer', 'printer', 'scanner', 'monitor', 'projector', 'whiteboard', 'air conditioner']),
  ...items(false, ['table', 'lamp', 'plant', 'vase', 'trash can']),
]

/** Additional objects, for scenes with more objects than the published catalog has. */
export const MORE_ITEMS: readonly CatalogItem[] = [
  ...items(true, ['piano', 'wardrobe', 'dishwasher', 'fireplace', 'mirror', 'dresser', 'bench', 'clock', 'radio']),
  ...items(true, ['sewing machine', 'coffee machine', 'telescope', 'easel', 'rocking horse', 'guitar', 'armchair']),
  ...items(false, ['stool', 'candle', 'basket', 'bucket', 'globe', 'pillow', 'carpet', 'barrel', 'ladder', 'drum']),
]

const DOOR_COLORS = ['red', 'blue', 'green', 'yellow', 'purple', 'orange', 'black', 'white', 'brown', 'gray']

/** Name of the k-th door, starting at 0. */
export function doorName(k: number): string {
  const color = DOOR_COLORS[k]
  return color === undefined ? `door ${k}` : `${color} door`
}
