/** COLLADA 1.4 and 1.5: the triangles of the scene that the file shows, at rest. */
import { readXml, type XmlElement } from '../../base/xml.ts'
import type { UpAxis } from './axes.ts'
import { brokenFile } from './broken.ts'
import { type DaeLibrary, daeLibrary } from './dae-library.ts'
import { daeMaterials } from './dae-materials.ts'
import { type DaeGeometry, daeGeometry } from './dae-geometry.ts'
import { childrenOf, numbersIn, only, reference } from './dae-xml.ts'
import { daeSkin } from './dae-skin.ts'
import { IDENTITY, type Matrix, multiply, placeNormals, placePoints, placeSkinned } from './matrix.ts'
import type { MeshPart, ParsedMesh } from './parsed-mesh.ts'
import { joinPieces, type Piece } from './pieces.ts'
import type { SiblingFiles } from './sibling-files.ts'

const XML_LIMITS = { characters: 400_000_000, depth: 300, elements: 2_000_000 }
/** Corners that a scene may have, and nodes: `instance_node` can show one node very often. */
const CORNER_LIMIT = 100_000_000
const NODE_LIMIT = 100_000
const INSTANCE_LIMIT = 65_536

export async function parseDae(bytes: Uint8Array, file: string, beside: SiblingFiles): Promise<ParsedMesh> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const root = readXml(text, file, XML_LIMITS)
  const library = daeLibrary(root)
  const reader = new SceneReader(library, file, beside)
  const scene = library.get(reference(only(only(root, 'scene'), 'instance_visual_scene')))
  const roots = scene ? [scene] : childrenOf(root, 'library_visual_scenes').flatMap((all) => all.children)
  for (const visualScene of roots) reader.findJoints(visualScene, IDENTITY)
  for (const visualScene of roots) reader.nodes(visualScene, IDENTITY)
  // A file without a scene is a library of shapes: they are shown as they are.
  if (reader.pieces.length === 0) {
    for (const all of childrenOf(root, 'library_geometries'))
      for (const geometry of childrenOf(all, 'geometry')) reader.show(geometry, IDENTITY, new Map(), 'geometry')
  }
  if (reader.pieces.length === 0) throw brokenFile(file, 'it has no triangles')
  const asset = only(root, 'asset')
  const meter = Number(only(asset, 'unit')?.attributes.get('meter') ?? 1)
  const { materials, shading } = await daeMaterials(library, reader.materials, beside)
  return {
    mesh: joinPieces(reader.pieces, materials, file),
    parts: reader.parts,
    shading,
    up: upAxis(only(asset, 'up_axis')),
    metersPerUnit: meter > 0 && Number.isFinite(meter) ? meter : 1,
  }
}

function upAxis(element: XmlElement | undefined): UpAxis {
  const said = element?.text.trim().toUpperCase()
  return said === 'Z_UP' ? 'z' : said === 'X_UP' ? 'x' : 'y'
}

class SceneReader {
  readonly pieces: Piece[] = []
  readonly parts: MeshPart[] = []
  /** Material elements by their order; the empty one is for surfaces without. */
  readonly materials: (XmlElement | undefined)[] = [undefined]
  readonly #library: DaeLibrary
  readonly #file: string
  readonly #beside: SiblingFiles
  readonly #geometries = new Map<XmlElement, DaeGeometry[]>()
  readonly #joints = new Map<string, Matrix>()
  #corners = 0
  #visits = 0

  constructor(library: DaeLibrary, file: string, beside: SiblingFiles) {
    this.#library = library
    this.#file = file
    this.#beside = beside
  }

  /** Where each node is, by its names: skins say so which joint they mean. */
  findJoints(element: XmlElement, parent: Matrix): void {
    for (const node of childrenOf(element, 'node')) {
      const matrix = multiply(parent, nodeMatrix(node))
      for (const key of ['sid', 'id', 'name']) {
        const name = node.attributes.get(key)
        if (name !== undefined && !this.#joints.has(name)) this.#joints.set(name, matrix)
      }
      this.findJoints(node, matrix)
    }
  }

  /** Shows all nodes below an element. */
  nodes(element: XmlElement, parent: Matrix): void {
    for (const node of childrenOf(element, 'node')) this.#node(node, parent, new Set())
  }

  #node(node: XmlElement, parent: Matrix, above: ReadonlySet<XmlElement>): void {
    if (above.has(node)) throw brokenFile(this.#file, `line ${node.line}: a node shows itself`)
    if (++this.#visits > NODE_LIMIT) throw brokenFile(this.#file, `it shows more than ${NODE_LIMIT} nodes`)
    const matrix = multiply(parent, nodeMatrix(node))
    const name = node.attributes.get('name') ?? node.attributes.get('id') ?? 'node'
    for (const instance of childrenOf(node, 'instance_geometry')) {
      const geometry = this.#library.get(reference(instance))
      if (geometry) this.show(geometry, matrix, boundMaterials(instance, this.#library), name)
    }
    for (const instance of childrenOf(node, 'instance_controller')) {
      const controller = this.#library.get(reference(instance))
      if (controller) this.#controller(controller, matrix, boundMaterials(instance, this.#library), name)
    }
    const below = new Set(above).add(node)
    for (const instance of childrenOf(node, 'instance_node')) {
      const shown = this.#library.get(reference(instance))
      if (shown?.name === 'node') this.#node(shown, matrix, below)
    }
    for (const child of childrenOf(node, 'node')) this.#node(child, matrix, below)
  }

  #controller(controller: XmlElement, matrix: Matrix, bound: ReadonlyMap<string, XmlElement>, name: string): void {
    const skin = only(controller, 'skin')
    const source = this.#library.get(reference(skin ?? only(controller, 'morph'), 'source'))
    if (source?.name === 'controller') {
      // A skin over a morph: the shape that the morph starts from.
      const base = this.#library.get(reference(only(source, 'morph'), 'source'))
      if (base) this.show(base, matrix, bound, name, skin)
    } else if (source) this.show(source, matrix, bound, name, skin)
  }

  show(
    geometry: XmlElement,
    matrix: Matrix,
    bound: ReadonlyMap<string, XmlElement>,
    name: string,
    skin?: XmlElement,
  ): void {
    let read = this.#geometries.get(geometry)
    if (!read) {
      read = daeGeometry(geometry, this.#library, this.#file, this.#beside.notes)
      this.#geometries.set(geometry, read)
    }
    if (read.length === 0) return
    const instance = (this.parts.length + 1) % INSTANCE_LIMIT
    this.parts.push({ instance, name })
    for (const { symbol, places, ...chunk } of read) {
      this.#corners += chunk.indices.length
      if (this.#corners > CORNER_LIMIT)
        throw brokenFile(this.#file, `it has more than ${Math.floor(CORNER_LIMIT / 3)} triangles`)
      const material = this.#material(bound.get(symbol) ?? this.#library.get(symbol))
      const skinned = skin && daeSkin(skin, this.#library, this.#joints, places)
      const placed = skinned
        ? placeSkinned(skinned.matrices, skinned.weights, chunk.positions, chunk.normals)
        : {
            positions: placePoints(matrix, chunk.positions),
            normals: chunk.normals && placeNormals(matrix, chunk.normals),
          }
      this.pieces.push({ ...chunk, ...placed, material, instance })
    }
  }

  #material(element: XmlElement | undefined): number {
    const known = this.materials.indexOf(element)
    return known === -1 ? this.materials.push(element) - 1 : known
  }
}

/** Material elements by the symbol that a geometry gives them. */
function boundMaterials(instance: XmlElement, library: DaeLibrary): Map<string, XmlElement> {
  const bound = new Map<string, XmlElement>()
  for (const material of childrenOf(only(only(instance, 'bind_material'), 'technique_common'), 'instance_material')) {
    const element = library.get(reference(material, 'target'))
    if (element) bound.set(material.attributes.get('symbol') ?? '', element)
  }
  return bound
}

/** What the transforms of a node do, in the order in which they stand. */
function nodeMatrix(node: XmlElement): Matrix {
  let matrix = IDENTITY
  for (const child of node.children) {
    const step = transformOf(child)
    if (step) matrix = multiply(matrix, step)
  }
  return matrix
}

function transformOf(element: XmlElement): Matrix | undefined {
  const values = numbersIn(element.text.length < 4096 ? element.text : '')
  const [x = 0, y = 0, z = 0, w = 0] = values
  switch (element.name) {
    case 'matrix':
      // Rows in the file, columns here.
      return values.length === 16 ? values.map((_, i) => values[(i % 4) * 4 + Math.floor(i / 4)]!) : undefined
    case 'translate':
      return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]
    case 'scale':
      return values.length === 3 ? [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1] : undefined
    case 'rotate':
      return about([x, y, z], (w * Math.PI) / 180)
    default:
      return undefined
  }
}

function about(axis: readonly [number, number, number], angle: number): Matrix {
  const length = Math.hypot(...axis)
  if (length === 0) return IDENTITY
  const [x, y, z] = [axis[0] / length, axis[1] / length, axis[2] / length]
  const c = Math.cos(angle)
  const s = Math.sin(angle)
  const t = 1 - c
  return [
    t * x * x + c,
    t * x * y + s * z,
    t * x * z - s * y,
    0,
    t * x * y - s * z,
    t * y * y + c,
    t * y * z + s * x,
    0,
    t * x * z + s * y,
    t * y * z - s * x,
    t * z * z + c,
    0,
    0,
    0,
    0,
    1,
  ]
}
