/** Replies with maps: of good and bad form, and how far from the truth. */
import type { Random } from '../../src/base/random.ts'
import type { MapEntry } from '../../src/suites/space/parse/maps.ts'

const FACINGS = [
  'north',
  'south',
  'east',
  'west',
  'North',
  ' east ',
  'N',
  '+x',
  '-x',
  '+y',
  '-y',
  'left',
  'front',
  'up',
  '',
  'northeast',
]
const NUMBERS = [
  '"1"',
  '" 2 "',
  '"x"',
  'true',
  'null',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e2',
  '-0',
  '"1e1"',
  '"inf"',
  '1.5',
  '"١"',
  '[1]',
  '99999999999999999999',
  '"1_0"',
]

function number(random: Random, near: number): string {
  if (random.chance(0.01)) return random.pick(NUMBERS)
  return String(random.chance(0.6) ? near : near + random.between(-4, 4) + (random.chance(0.1) ? 0.5 : 0))
}

function facing(random: Random, entry: MapEntry): string {
  const words = ['north', 'east', 'south', 'west']
  const right =
    entry.facing === null
      ? 'north'
      : words[entry.facing[0] === 0 ? (entry.facing[1] > 0 ? 0 : 2) : entry.facing[0] > 0 ? 1 : 3]!
  if (random.chance(0.05)) return random.pick(['null', '3', '["north"]', 'true'])
  return JSON.stringify(random.chance(0.6) ? right : random.pick(FACINGS))
}

function name(random: Random, { name: right }: MapEntry): string {
  if (random.chance(0.85)) return right
  return random.pick([
    right.replaceAll(' ', '_'),
    right.toUpperCase(),
    `the ${right}`,
    right.replaceAll(' ', ''),
    `${right} `,
    `_${right}`,
    right.replaceAll(' ', '__'),
  ])
}

function info(random: Random, entry: MapEntry): string {
  const [x, y] = [number(random, entry.pos[0]), number(random, entry.pos[1])]
  const place = random.chance(0.93)
    ? `[${x}, ${y}]`
    : random.pick([`[${x}]`, `[${x}, ${y}, 0]`, `{"x": ${x}, "y": ${y}}`, `"(${x}, ${y})"`, 'null', '[]'])
  const key = random.chance(0.93) ? 'position' : random.pick(['pos', 'xy', 'Position', 'coordinates'])
  const fields = [`"${key}": ${place}`]
  if (entry.facing !== null ? random.chance(0.9) : random.chance(0.3)) fields.push(`"facing": ${facing(random, entry)}`)
  if (random.chance(0.05)) fields.push('"room": 2', '"position": [0, 0]')
  return random.chance(0.97) ? `{${fields.join(', ')}}` : random.pick([place, 'null', '"here"', '{}', '[]'])
}

/** A JSON map near `truth`, as an object by name, in sections or in lists. */
function json(random: Random, truth: readonly MapEntry[]): string {
  const listed = random.shuffle([...truth]).slice(0, random.chance(0.7) ? truth.length : random.int(truth.length + 1))
  if (random.chance(0.05)) return '{}'
  const byName = (entries: readonly MapEntry[]): string =>
    `{${entries.map((entry) => `${JSON.stringify(name(random, entry))}: ${info(random, entry)}`).join(', ')}}`
  const asList = (entries: readonly MapEntry[]): string =>
    `[${entries
      .map(
        (entry) =>
          `{"${random.pick(['name', 'label', 'id', 'type', 'title'])}": ${random.chance(0.95) ? JSON.stringify(name(random, entry)) : random.pick(['7', 'null', '""', 'true'])}, ${info(random, entry).slice(1)}`,
      )
      .filter((item) => item.endsWith('}'))
      .join(', ')}]`
  if (random.chance(0.6)) return byName(listed)
  const half = random.int(listed.length + 1)
  const section = (entries: readonly MapEntry[]): string => (random.chance(0.5) ? byName(entries) : asList(entries))
  return random.pick([
    () => `{"origin": "agent", "objects": ${section(listed)}}`,
    () => `{"objects": ${section(listed.slice(0, half))}, "gates": ${section(listed.slice(half))}}`,
    () => `{"gates": ${section(listed.slice(half))}, "agent": {"position": [1, 2], "facing": "east"}}`,
    () => `{"objects": ${random.pick(['null', '3', '[]', '{}', '"none"'])}, ${byName(listed).slice(1)}`,
    () => `{"map": ${byName(listed)}}`,
    () => byName([...listed, ...listed.slice(0, 2)]),
  ])()
}

export function mapReply(random: Random, truth: readonly MapEntry[]): string {
  const map = json(random, truth)
  const other = json(random, truth.slice(0, 3))
  return random.weighted(
    [
      map,
      `THINK: where?\nFINAL ANSWER:\n${map}`,
      `FINAL ANSWER:\n\`\`\`json\n${map}\n\`\`\``,
      `first ${other}, then ${map}`,
      `\`\`\`\n${other}\n\`\`\` and \`\`\`json\n${map}\n\`\`\` done`,
      `\`\`\`JSON\n\u001c${map}\u0085\`\`\` }`,
      `{ broken ${map}`,
      map.slice(0, -1),
      `${map}}`,
      `[${map}]`,
      map.replaceAll('"', "'"),
      `// map\n${map.replaceAll('}, ', '},\n ')}`,
      'I cannot draw a map.',
      '',
    ],
    [8, 4, 4, 2, 2, 1, 1, 1, 1, 1, 1, 1, 0.5, 0.3],
  )
}
