const DOOR_COLORS: Readonly<Record<string, string>> = {
  red: '#d64533',
  blue: '#3a6fd0',
  green: '#3f9a55',
  yellow: '#e0b52c',
  purple: '#8452b5',
  orange: '#e2822f',
  black: '#2b2b2b',
  white: '#fafafa',
  brown: '#8a5a35',
  gray: '#8d8d8d',
}
const NO_COLOR = '#999999'

/** The color of a door on maps: `red door` is red. Gray if the name is not a color. */
export function doorColor(name: string): string {
  const color = name.split(' ')[0] ?? ''
  return Object.hasOwn(DOOR_COLORS, color) ? DOOR_COLORS[color]! : NO_COLOR
}
