export const ROOM_KINDS = [
  'bedroom',
  'living room',
  'kitchen',
  'bathroom',
  'office',
  'class room',
  'workshop',
  'corridor',
] as const

export const SCENE_KINDS = [...ROOM_KINDS, 'flat'] as const

export type RoomKind = (typeof ROOM_KINDS)[number]
export type SceneKind = (typeof SCENE_KINDS)[number]
