/** What makes a room that room: of each list, at least one thing stands in it. */
import type { Category } from '../objects/catalogue.ts'
import type { RoomKind } from './scene.ts'

const ESSENTIALS: Readonly<Record<RoomKind, readonly (readonly Category[])[]>> = {
  bedroom: [['bed', 'bunk bed']],
  'living room': [['sofa']],
  kitchen: [['refrigerator'], ['oven'], ['kitchen sink']],
  bathroom: [['toilet'], ['sink'], ['bathtub', 'shower']],
  office: [['desk'], ['office chair']],
  'class room': [['school desk'], ['chair'], ['wall whiteboard', 'whiteboard']],
  workshop: [['workbench']],
  corridor: [['coat rack', 'cabinet', 'bench', 'shoes']],
}

/** The lists of which a room has nothing. */
export function missingEssentials(
  kind: RoomKind,
  objects: readonly { category: string }[],
): readonly (readonly Category[])[] {
  return ESSENTIALS[kind].filter((choice) => !objects.some(({ category }) => choice.some((name) => name === category)))
}

export function isEssential(kind: RoomKind, { category }: { category: string }): boolean {
  return ESSENTIALS[kind].some((choice) => choice.some((name) => name === category))
}
