/**
 * `tsx scripts/contact-sheet.ts FOLDER|LIST OUT.png`: loads mesh files, draws the default view of each, and writes one
 * picture of all of them and a report, `OUT.txt`: read or refused, CPU seconds, and measures of the picture. A list has
 * one path to a line; paths are taken from the list's folder.
 */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { escapeXml } from '../src/base/escape-xml.ts'
import { messageOf, UserError } from '../src/base/errors.ts'
import { DRAWING_FONT } from '../src/media/fonts.ts'
import { encodePng } from '../src/media/image.ts'
import { svgToPng } from '../src/media/svg.ts'
import { defaultView } from '../src/world/film/default-view.ts'
import { Renderer } from '../src/world/render/index.ts'
import { openScene } from '../src/world/scene/open-scene.ts'
import { measurePicture, type PictureMeasures } from '../test/support/world/picture-measures.ts'

const MESH = /\.(ply|obj|stl|dae|urdf|glb|gltf)$/i
const SIZE = { width: 200, height: 150 }
const COLUMNS = 10
const LABEL = 26

interface Entry {
  name: string
  seconds: number
  picture?: Uint8Array
  measures?: PictureMeasures
  inside?: boolean
  /** Why there is no picture, or what was noted on the way. */
  words: string
}

const [source, output] = process.argv.slice(2)
if (source === undefined || output === undefined) throw new UserError('Usage: contact-sheet.ts FOLDER|LIST OUT.png')
const root = (await stat(source)).isDirectory() ? resolve(source) : dirname(resolve(source))
const entries: Entry[] = []
for (const path of await files(source)) entries.push(await show(path))
await writeFile(output, await sheet())
await writeFile(output.replace(/\.png$/, '.txt'), `${entries.map(line).join('\n')}\n`)
const read = entries.filter(({ picture }) => picture).length
const doubtful = entries.filter(({ measures, inside }) => measures && doubts(measures, inside === true) !== '').length
process.stdout.write(
  `${entries.length} files: ${read} read, ${entries.length - read} refused; ${doubtful} pictures in doubt.\n`,
)

async function files(from: string): Promise<string[]> {
  if (!(await stat(from)).isDirectory()) {
    const lines = (await readFile(from, 'utf8')).split('\n')
    return lines.filter((name) => name.trim() !== '').map((name) => join(dirname(resolve(from)), name.trim()))
  }
  const names = await readdir(from, { recursive: true })
  return names
    .filter((name) => MESH.test(name))
    .sort()
    .map((name) => join(from, name))
}

async function show(path: string): Promise<Entry> {
  const name = relative(root, resolve(path))
  const before = process.cpuUsage()
  const seconds = () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1e6
  }
  try {
    const scene = await openScene(path)
    const { camera, background, inside } = defaultView(scene.prepared, await scene.mesh(), SIZE, 90)
    const { color } = new Renderer(scene.prepared).render(camera, { ...SIZE, antialias: true, background })
    const picture = await encodePng({ ...SIZE, channels: 3, data: color })
    const measures = measurePicture({ ...SIZE, channels: 3, data: color }, background)
    return { name, seconds: seconds(), picture, measures, inside, words: scene.notes.join(' | ') }
  } catch (error) {
    const expected = error instanceof UserError
    const hint = expected && error.hint !== undefined ? ` (${error.hint})` : ''
    return { name, seconds: seconds(), words: `${expected ? '' : 'BUG: '}${messageOf(error)}${hint}` }
  }
}

/** What makes a picture useless, in a word; empty for a sound one. */
function doubts({ covered, spread, edges }: PictureMeasures, inside: boolean): string {
  if (covered < 0.03) return 'tiny'
  if (!inside && covered > 0.97) return 'near'
  if (spread < 6) return 'flat'
  return edges < 0.01 ? 'empty' : ''
}

function line({ name, seconds, picture, measures, inside, words }: Entry): string {
  const told = measures
    ? [measures.covered, measures.edges]
        .map((share) => `${Math.round(share * 100)}%`)
        .concat(measures.spread.toFixed(0))
    : ['', '', '']
  const verdict = measures ? doubts(measures, inside === true) : ''
  const view = picture ? (inside === true ? 'inside' : 'outside') : 'refused'
  return [view, verdict, seconds.toFixed(1), ...told, name, words].join('\t')
}

async function sheet(): Promise<Uint8Array> {
  const high = SIZE.height + LABEL
  const cells = entries.map(({ name, picture, seconds }, i) => {
    const [x, y] = [(i % COLUMNS) * SIZE.width, Math.floor(i / COLUMNS) * high]
    const shown = picture
      ? `<image x="${x}" y="${y}" width="${SIZE.width - 2}" height="${SIZE.height}" href="data:image/png;base64,${Buffer.from(picture).toString('base64')}"/>`
      : `<rect x="${x}" y="${y}" width="${SIZE.width - 2}" height="${SIZE.height}" fill="#f4d0d0"/>`
    const label = `${i} ${basename(name)} ${seconds.toFixed(1)}s`
    const folder = dirname(name).slice(-34)
    return `${shown}<text x="${x + 2}" y="${y + SIZE.height + 11}">${escapeXml(label)}</text><text x="${x + 2}" y="${y + SIZE.height + 22}" fill="#777">${escapeXml(folder)}</text>`
  })
  const width = COLUMNS * SIZE.width
  const height = Math.ceil(entries.length / COLUMNS) * high
  return svgToPng(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${DRAWING_FONT}" font-size="10">${cells.join('')}</svg>`,
    { background: '#ffffff' },
  )
}
