/** The question types and their answer formats. */

/** Four types are answered with a number, the other six with a letter. */
export const NUMBER_TYPES = [
  'object_counting',
  'object_abs_distance',
  'object_size_estimation',
  'room_size_estimation',
] as const
export const DIRECTION_TYPES = [
  'object_rel_direction_easy',
  'object_rel_direction_medium',
  'object_rel_direction_hard',
] as const
export const CHOICE_TYPES = [
  'object_rel_distance',
  ...DIRECTION_TYPES,
  'route_planning',
  'obj_appearance_order',
] as const
export const QUESTION_TYPES = [...NUMBER_TYPES, ...CHOICE_TYPES] as const

export type NumberType = (typeof NUMBER_TYPES)[number]
export type ChoiceType = (typeof CHOICE_TYPES)[number]
export type DirectionType = (typeof DIRECTION_TYPES)[number]
export type QuestionType = (typeof QUESTION_TYPES)[number]

/** The eight types that the published overall score averages, in the order of the published table. */
export const OVERALL_TYPES = [
  ...NUMBER_TYPES,
  'object_rel_distance',
  'object_rel_direction',
  'route_planning',
  'obj_appearance_order',
] as const
export type OverallType = (typeof OVERALL_TYPES)[number]

export function isQuestionType(name: string): name is QuestionType {
  return (QUESTION_TYPES as readonly string[]).includes(name)
}

export function isNumberType(name: string): name is NumberType {
  return (NUMBER_TYPES as readonly string[]).includes(name)
}

export function isChoiceType(name: string): name is ChoiceType {
  return (CHOICE_TYPES as readonly string[]).includes(name)
}

export function isDirectionType(name: string): name is DirectionType {
  return (DIRECTION_TYPES as readonly string[]).includes(name)
}

/** Units of numeric answers. The published notes mention centimeters for all types; in the data only sizes are. */
export const ANSWER_UNITS = {
  object_counting: null,
  object_abs_distance: 'm',
  object_size_estimation: 'cm',
  room_size_estimation: 'm2',
} as const satisfies Record<NumberType, string | null>

export const TYPE_TITLES: Readonly<Record<QuestionType | 'object_rel_direction', string>> = {
  object_counting: 'Object count',
  object_abs_distance: 'Absolute distance',
  object_size_estimation: 'Object size',
  room_size_estimation: 'Room size',
  object_rel_distance: 'Relative distance',
  object_rel_direction: 'Relative direction',
  object_rel_direction_easy: 'Relative direction, easy',
  object_rel_direction_medium: 'Relative direction, medium',
  object_rel_direction_hard: 'Relative direction, hard',
  route_planning: 'Route planning',
  obj_appearance_order: 'Appearance order',
}
