import type { ParsedMesh } from './parsed-mesh.ts'
import type { SiblingFiles } from './sibling-files.ts'
import { brokenFile } from './broken.ts'
import { type GltfDocument, openGltf } from './gltf-document.ts'
import { readMaterials } from './gltf-materials.ts'
import { readAccessor } from './gltf-accessor.ts'
import { type Chunk, readPrimitive } from './gltf-primitive.ts'
import type { GltfNode } from './gltf-schema.ts'
import { IDENTITY, type Matrix, multiply, placeNormals, placePoints, placeSkinned, placingMatrix } from './matrix.ts'
import { joinPieces, type Piece } from './pieces.ts'

/** Limits on the depth of the node tree and on copies of a mesh: a small file can reference one very often. */
const NODE_DEPTH_LIMIT = 1000
const COPY_LIMIT = 1_000_000
const INSTANCE_LIMIT = 65_536

/**
 * Reads glTF 2.0, binary or text, in the document's own axes (y up, meters). Node transforms are applied, skins stand
 * at rest; every node with a mesh becomes an instance of its own.
 */
export async function parseGltf(bytes: Uint8Array, file: string, beside: SiblingFiles): Promise<ParsedMesh> {
  const document = await openGltf(bytes, file, beside)
  const { gltf } = document
  const materials = await readMaterials(document, beside)
  const worlds = worldMatrices(document)
  const pieces: Piece[] = []
  const parts: { instance: number; name: string }[] = []
  const chunks = new Map<string, (Chunk | undefined)[]>()
  let corners = 0

  /** The triangles of a mesh as a node shows it, read once for all nodes that show it alike. */
  const chunksOf = (mesh: number, weights: readonly number[]): (Chunk | undefined)[] => {
    const key = `${mesh} ${weights.join(' ')}`
    let read = chunks.get(key)
    if (!read) {
      read = gltf.meshes[mesh]!.primitives.map((primitive) => readPrimitive(document, primitive, weights, materials))
      chunks.set(key, read)
    }
    return read
  }

  const show = (node: GltfNode, at: number) => {
    const mesh = node.mesh === undefined ? undefined : gltf.meshes[node.mesh]
    if (node.mesh === undefined) return
    if (!mesh) throw brokenFile(file, `mesh ${node.mesh} is named but not there`)
    const read = chunksOf(node.mesh, node.weights ?? mesh.weights ?? [])
    const joints = skinMatrices(document, node, worlds)
    for (const copy of copiesOf(document, node)) {
      const instance = instanceOf(node.extras) ?? (parts.length + 1) % INSTANCE_LIMIT
      const matrix = multiply(worlds.get(at) ?? IDENTITY, copy)
      let shown = false
      for (const chunk of read) {
        if (!chunk) continue
        corners += chunk.indices.length
        if (corners > CORNER_LIMIT) throw brokenFile(file, `it has more than ${CORNER_LIMIT / 3} triangles`)
        pieces.push({ ...chunk, ...placed(chunk, matrix, joints), instance })
        shown = true
      }
      if (shown) parts.push({ instance, name: node.name ?? mesh.name ?? `part ${instance}` })
    }
  }

  const visited = new Set<number>()
  const visit = (at: number) => {
    const node = gltf.nodes[at]
    if (!node) throw brokenFile(file, `node ${at} is named but not there`)
    // A node that two scenes' roots or parents name is shown once.
    if (visited.has(at) || node.extensions?.KHR_node_visibility?.visible === false) return
    visited.add(at)
    show(node, at)
    for (const child of node.children) visit(child)
  }
  for (const root of rootNodes(document)) visit(root)
  if (corners === 0) throw brokenFile(file, 'it has no triangles', beside.notes.at(-1))
  return {
    mesh: joinPieces(
      pieces,
      materials.map(({ material }) => material),
      file,
    ),
    parts,
    shading: materials.map(({ shading }) => shading),
    up: 'y',
  }
}

/** Corners that a scene may have. */
const CORNER_LIMIT = 300_000_000

function placed(
  chunk: Chunk,
  matrix: Matrix,
  joints: readonly Matrix[] | undefined,
): Pick<Chunk, 'positions' | 'normals'> {
  const { positions, normals, skin } = chunk
  if (joints && skin) return placeSkinned(joints, skin, positions, normals)
  return { positions: placePoints(matrix, positions), normals: normals && placeNormals(matrix, normals) }
}

/** Where the nodes are. Nodes must form a tree. */
function worldMatrices({ gltf, file }: GltfDocument): Map<number, Matrix> {
  const worlds = new Map<number, Matrix>()
  const waiting = parentless(gltf.nodes)
    .map((at) => ({ at, parent: IDENTITY, depth: 0 }))
    .reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { at, parent, depth } = next
    const node = gltf.nodes[at]
    if (!node) throw brokenFile(file, `node ${at} is named but not there`)
    if (worlds.has(at)) throw brokenFile(file, `node ${at} has two parents; nodes must form a tree`)
    if (depth > NODE_DEPTH_LIMIT) throw brokenFile(file, `its nodes are nested deeper than ${NODE_DEPTH_LIMIT}`)
    const matrix = multiply(parent, node.matrix ?? placingMatrix(node))
    worlds.set(at, matrix)
    for (const child of node.children) waiting.push({ at: child, parent: matrix, depth: depth + 1 })
  }
  const lost = gltf.nodes.findIndex((_, at) => !worlds.has(at))
  if (lost !== -1) throw brokenFile(file, `node ${lost} is its own ancestor; nodes must form a tree`)
  return worlds
}

function parentless(nodes: readonly GltfNode[]): number[] {
  const children = new Set(nodes.flatMap((node) => node.children))
  return nodes.map((_, at) => at).filter((at) => !children.has(at))
}

function rootNodes({ gltf }: GltfDocument): readonly number[] {
  return gltf.scenes[gltf.scene]?.nodes ?? parentless(gltf.nodes)
}

/** What the joints of a node's skeleton do to its mesh; undefined for a node without one. */
function skinMatrices(
  document: GltfDocument,
  node: GltfNode,
  worlds: ReadonlyMap<number, Matrix>,
): Matrix[] | undefined {
  const skin = node.skin === undefined ? undefined : document.gltf.skins[node.skin]
  if (!skin) return undefined
  const inverse = skin.inverseBindMatrices === undefined ? undefined : readAccessor(document, skin.inverseBindMatrices)
  return skin.joints.map((joint, at) => {
    const world = worlds.get(joint) ?? IDENTITY
    const bind =
      inverse?.width === 16 && at < inverse.count ? [...inverse.values.subarray(at * 16, at * 16 + 16)] : null
    return bind ? multiply(world, bind) : world
  })
}

/** Where a node shows its mesh: once, or wherever EXT_mesh_gpu_instancing puts a copy. */
function copiesOf(document: GltfDocument, { extensions }: GltfNode): Matrix[] {
  const attributes = extensions?.EXT_mesh_gpu_instancing?.attributes
  if (!attributes) return [IDENTITY]
  const read = (name: string, width: number) => {
    const at = attributes[name]
    const values = at === undefined ? undefined : readAccessor(document, at)
    return values?.width === width ? values : undefined
  }
  const translation = read('TRANSLATION', 3)
  const rotation = read('ROTATION', 4)
  const scale = read('SCALE', 3)
  const count = Math.max(0, ...[translation, rotation, scale].map((values) => values?.count ?? 0))
  if (count > COPY_LIMIT) throw brokenFile(document.file, `a mesh is shown more than ${COPY_LIMIT} times`)
  const item = (values: typeof scale, at: number, otherwise: readonly number[]) =>
    values && at < values.count ? [...values.values.subarray(at * values.width, (at + 1) * values.width)] : otherwise
  return Array.from({ length: count }, (_, at) =>
    placingMatrix({
      translation: item(translation, at, [0, 0, 0]),
      rotation: item(rotation, at, [0, 0, 0, 1]),
      scale: item(scale, at, [1, 1, 1]),
    }),
  )
}

/** Our own files write the number of the thing into the node. */
function instanceOf(extras: unknown): number | undefined {
  if (typeof extras !== 'object' || extras === null || !('instance' in extras)) return undefined
  const { instance } = extras
  return typeof instance === 'number' && Number.isInteger(instance) && instance >= 0 && instance < INSTANCE_LIMIT
    ? instance
    : undefined
}
