import type { TriangleMesh } from '../mesh.ts'
import type { SiblingFiles } from './sibling-files.ts'
import { brokenFile } from './broken.ts'
import { type GltfDocument, openGltf } from './gltf-document.ts'
import { readMaterials } from './gltf-materials.ts'
import { IDENTITY, type Matrix, multiply, nodeMatrix } from './gltf-nodes.ts'
import { type Chunk, readPrimitive } from './gltf-primitive.ts'

/** A node of the document that has triangles: `triangleInstances` of the mesh counts them from 1. */
export interface MeshPart {
  instance: number
  name: string
}

/** Limits on the depth of the node tree and the size of a scene: a small file can reference one mesh very often. */
const NODE_DEPTH_LIMIT = 1000
const CORNER_LIMIT = 300_000_000
const INSTANCE_LIMIT = 65_536

/**
 * Reads glTF 2.0, binary or text, in the document's own axes (y up, meters). Node transforms are applied; every node
 * with a mesh becomes an instance of its own.
 */
export async function parseGltf(
  bytes: Uint8Array,
  file: string,
  beside: SiblingFiles,
): Promise<{ mesh: TriangleMesh; parts: MeshPart[] }> {
  const document = await openGltf(bytes, file, beside)
  const materials = await readMaterials(document, beside)
  const chunks: InstanceChunk[] = []
  const parts: MeshPart[] = []
  const { gltf } = document
  const visited = new Set<number>()
  let corners = 0
  const visit = (at: number, parent: Matrix, depth: number) => {
    const node = gltf.nodes[at]
    if (!node) throw brokenFile(file, `node ${at} is named but not there`)
    if (visited.has(at)) throw brokenFile(file, `node ${at} has two parents; nodes must form a tree`)
    if (depth > NODE_DEPTH_LIMIT) throw brokenFile(file, `its nodes are nested deeper than ${NODE_DEPTH_LIMIT}`)
    visited.add(at)
    const matrix = multiply(parent, nodeMatrix(node))
    if (node.mesh !== undefined) {
      const mesh = gltf.meshes[node.mesh]
      if (!mesh) throw brokenFile(file, `mesh ${node.mesh} is named but not there`)
      const instance = instanceOf(node.extras) ?? (parts.length + 1) % INSTANCE_LIMIT
      parts.push({ instance, name: node.name ?? mesh.name ?? `part ${instance}` })
      for (const primitive of mesh.primitives) {
        const chunk = readPrimitive(document, primitive, matrix, materials, file)
        if (!chunk) continue
        corners += chunk.indices.length
        if (corners > CORNER_LIMIT) throw brokenFile(file, `it has more than ${CORNER_LIMIT / 3} triangles`)
        chunks.push({ ...chunk, instance })
      }
    }
    for (const child of node.children) visit(child, matrix, depth + 1)
  }
  for (const root of rootNodes(document)) visit(root, IDENTITY, 0)
  if (chunks.length === 0) throw brokenFile(file, 'it has no triangles')
  return { mesh: { ...join(chunks), materials: materials.map(({ material }) => material) }, parts }
}

type InstanceChunk = Chunk & { instance: number }

function rootNodes({ gltf }: GltfDocument): readonly number[] {
  const scene = gltf.scenes[gltf.scene]
  if (scene) return scene.nodes
  const children = new Set(gltf.nodes.flatMap((node) => node.children))
  return gltf.nodes.map((_, at) => at).filter((at) => !children.has(at))
}

/** Our own files write the number of the thing into the node. */
function instanceOf(extras: unknown): number | undefined {
  if (typeof extras !== 'object' || extras === null || !('instance' in extras)) return undefined
  const { instance } = extras
  return typeof instance === 'number' && Number.isInteger(instance) && instance >= 0 && instance < INSTANCE_LIMIT
    ? instance
    : undefined
}

/** One mesh of all chunks; what only some of them have is filled in for the others. */
function join(chunks: readonly InstanceChunk[]): Omit<TriangleMesh, 'materials'> {
  const vertices = chunks.reduce((sum, { positions }) => sum + positions.length / 3, 0)
  const corners = chunks.reduce((sum, { indices }) => sum + indices.length, 0)
  const positions = new Float32Array(vertices * 3)
  const indices = new Uint32Array(corners)
  const normals = chunks.every((chunk) => chunk.normals) ? new Float32Array(vertices * 3) : undefined
  const uvs = chunks.some((chunk) => chunk.uvs) ? new Float32Array(vertices * 2) : undefined
  const colors = chunks.some((chunk) => chunk.colors) ? new Uint8Array(vertices * 3).fill(255) : undefined
  const triangleMaterials = new Uint16Array(corners / 3)
  const triangleInstances = new Uint16Array(corners / 3)
  let vertex = 0
  let at = 0
  for (const chunk of chunks) {
    positions.set(chunk.positions, vertex * 3)
    if (chunk.normals) normals?.set(chunk.normals, vertex * 3)
    if (chunk.uvs) uvs?.set(chunk.uvs, vertex * 2)
    if (chunk.colors) colors?.set(chunk.colors, vertex * 3)
    triangleMaterials.fill(chunk.material, at / 3, (at + chunk.indices.length) / 3)
    triangleInstances.fill(chunk.instance, at / 3, (at + chunk.indices.length) / 3)
    for (let i = 0; i < chunk.indices.length; i++) indices[at++] = chunk.indices[i]! + vertex
    vertex += chunk.positions.length / 3
  }
  return {
    positions,
    indices,
    ...(normals && { normals }),
    ...(uvs && { uvs }),
    ...(colors && { colors }),
    triangleMaterials,
    triangleInstances,
  }
}
