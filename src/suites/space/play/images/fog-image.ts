/** The map of a fog probe as an image: rooms from above without objects, cells in gray, letters in red, player in blue. */
import { DRAWING_FONT, encodePng, escapeXml, memoized, svgToPng } from '../../../../suite.ts'
import { prepareScene, project, Renderer, topDown } from '../../../../world.ts'
import { type FogProbe, letterOf } from '../../domain/belief/fog-probe.ts'
import type { Pose, Scene, Vec } from '../../domain/grid/scene.ts'
import { cellsOfRoom, roomIds } from '../../domain/grid/view.ts'
import { buildGridMesh } from '../../domain/vision/build.ts'
import { doorColor, roomBoxes } from '../../domain/vision/shell.ts'

export const MAP_SIZE = 512
/** Sizes in the published image, for 15 cells in 512 pixels; scaled for other sizes. */
const PUBLISHED = { cells: 15, point: 4, font: 18 }
/** Only floors are rendered; walls have no width from above and are drawn as lines. */
const CUT = 0.05

const rendererOf = memoized(
  (scene: Scene) => new Renderer(prepareScene(buildGridMesh(scene, { light: false, objects: false }))),
)

export async function fogImage(probe: FogProbe, scene: Scene, pose: Pose): Promise<Uint8Array<ArrayBuffer>> {
  const size = { width: MAP_SIZE, height: MAP_SIZE }
  const [columns, rows] = [scene.mask.length, scene.mask[0]?.length ?? 0]
  const camera = topDown({ min: [-0.5, -0.5, 0], max: [columns - 0.5, rows - 0.5, 2] }, size)
  const { color } = rendererOf(scene).render(camera, {
    ...size,
    antialias: true,
    cutAbove: CUT,
    background: [255, 255, 255],
  })
  const floor = Buffer.from(await encodePng({ ...size, channels: 3, data: color })).toString('base64')
  const at = ([x, y]: readonly [number, number]): { x: string; y: string } => {
    const point = project(camera, [x, y, 0])
    return { x: point.x.toFixed(1), y: point.y.toFixed(1) }
  }
  const shrink = Math.min(1.6, PUBLISHED.cells / Math.max(columns, rows))
  const [radius, font] = [(PUBLISHED.point * shrink).toFixed(1), (PUBLISHED.font * shrink).toFixed(1)]
  const dot = (cell: Vec, fill: string): string => {
    const { x, y } = at(cell)
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" stroke="#ffffff" stroke-width="1.2"/>`
  }
  const line = (a: readonly [number, number], b: readonly [number, number], stroke: string, width: number): string => {
    const [from, to] = [at(a), at(b)]
    return `<line x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}" stroke="${stroke}" stroke-width="${width}"/>`
  }
  const walls = roomBoxes(scene).flatMap(({ x, y }) => [
    line([x[0], y[0]], [x[1], y[0]], '#4a4a4e', 4),
    line([x[1], y[0]], [x[1], y[1]], '#4a4a4e', 4),
    line([x[1], y[1]], [x[0], y[1]], '#4a4a4e', 4),
    line([x[0], y[1]], [x[0], y[0]], '#4a4a4e', 4),
  ])
  const doors = scene.doors.map(({ name, pos: [x, y], normals }) => {
    const [dx, dy] = normals[0][0] === 0 ? [0.43, 0] : [0, 0.43]
    const color255 = doorColor(name).join(',')
    return (
      line([x - dx, y - dy], [x + dx, y + dy], '#4a4a4e', 8) +
      line([x - dx, y - dy], [x + dx, y + dy], `rgb(${color255})`, 6)
    )
  })
  const points = roomIds(scene).flatMap((room) => cellsOfRoom(scene, room).map((cell) => dot(cell, '#808080')))
  const letters = probe.candidates.map((cell, i) => {
    const { x, y } = at(cell)
    const letter = escapeXml(letterOf(i))
    return `${dot(cell, '#e01010')}<text x="${x}" y="${y}" dx="${radius}" dy="-${radius}" font-size="${font}" font-weight="bold" fill="#e01010" stroke="#ffffff" stroke-width="3" paint-order="stroke">${letter}</text>`
  })
  const body = [...walls, ...doors, ...points, ...letters, dot(pose.pos, '#1030e0')].join('')
  return svgToPng(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${MAP_SIZE}" height="${MAP_SIZE}" viewBox="0 0 ${MAP_SIZE} ${MAP_SIZE}" font-family="${DRAWING_FONT}, sans-serif"><image width="${MAP_SIZE}" height="${MAP_SIZE}" opacity="0.6" href="data:image/png;base64,${floor}"/>${body}</svg>`,
  )
}
