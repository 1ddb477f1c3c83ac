import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { codeOf, UserError, fileErrorReason } from '../../base/errors.ts'
import { sha256 } from '../../base/hash.ts'
import type { TriangleMesh } from '../mesh.ts'
import { toWorldAxes, type UpAxis } from './axes.ts'
import { SiblingFiles } from './sibling-files.ts'
import { brokenFile } from './broken.ts'
import { isGlb } from './gltf-document.ts'
import { type MeshPart, parseGltf } from './gltf.ts'
import { parseObj } from './obj.ts'
import { parsePly } from './ply.ts'
import { shadeByNormal } from './shade.ts'

export type MeshFormat = 'ply' | 'obj' | 'glb' | 'gltf'

export interface LoadOptions {
  /** Which axis is up in the file. Default: y for glTF, as its standard says, z for the others, as scans have it. */
  up?: UpAxis
  /** Default 1. For a file in millimeters, 0.001. */
  metersPerUnit?: number
  /** What a mesh without colors and textures looks like. Default `shade`: grays by the surface's direction. */
  uncolored?: 'shade' | 'leave'
}

export interface LoadedMesh {
  mesh: TriangleMesh
  format: MeshFormat
  /** SHA-256 of the file's bytes; what it names (textures, buffers) is not part of it. */
  sha256: string
  /** Whether it names no other files, so that its hash says all. */
  selfContained: boolean
  /** Named nodes of a glTF file, by the number in `triangleInstances`. */
  parts: readonly MeshPart[]
  /** What the file names but could not be used, in words. */
  notes: readonly string[]
}

/**
 * Loads a mesh in meters, z up. The format is told by what is in the file, not by its name.
 *
 * @example
 * const { mesh } = await loadMesh('scene0251_00_vh_clean_2.ply')
 */
export async function loadMesh(path: string, options: LoadOptions = {}): Promise<LoadedMesh> {
  const bytes = await readMeshFile(path)
  return parseMesh(bytes, path, options)
}

/** The same from bytes; `path` is where the files that it names are looked for. */
export async function parseMesh(bytes: Uint8Array, path: string, options: LoadOptions = {}): Promise<LoadedMesh> {
  const file = basename(path)
  const format = meshFormat(bytes, file)
  const beside = new SiblingFiles(path)
  const { mesh: raw, parts } = await parse()
  const mesh = toWorldAxes(
    raw,
    options.up ?? (format === 'glb' || format === 'gltf' ? 'y' : 'z'),
    options.metersPerUnit,
  )
  const plain = !mesh.colors && mesh.materials.every(({ texture }) => !texture) && mesh.materials.length < 2
  if (plain && (options.uncolored ?? 'shade') === 'shade') mesh.colors = shadeByNormal(mesh)
  return { mesh, format, sha256: sha256(bytes), selfContained: beside.count === 0, parts, notes: beside.notes }

  async function parse(): Promise<{ mesh: TriangleMesh; parts: MeshPart[] }> {
    if (format === 'ply') return { mesh: parsePly(bytes, file), parts: [] }
    if (format === 'obj') return { mesh: await parseObj(bytes, file, beside), parts: [] }
    return parseGltf(bytes, file, beside)
  }
}

/** What the first bytes say. */
export function meshFormat(bytes: Uint8Array, file: string): MeshFormat {
  if (bytes.length === 0) throw brokenFile(file, 'it is empty (0 bytes)', 'Copy or download it again.')
  if (isGlb(bytes)) return 'glb'
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1')
  if (/^ply\s/.test(start)) return 'ply'
  if (/^(\u00ef\u00bb\u00bf)?\s*\{/.test(start)) return 'gltf'
  const binary = start.includes('\0')
  if (!binary && /^\s*(#|v|vt|vn|f|o|g|s|mtllib|usemtl)(\s|$)/m.test(start)) return 'obj'
  throw brokenFile(file, 'it is no mesh that Sightline reads', 'PLY, OBJ, GLB and glTF are understood.')
}

/** The bytes of a mesh file, or a sentence on why there are none. */
export async function readMeshFile(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path)
    // Node reads files in one piece up to 2 GiB.
    if (size >= 2 ** 31) throw new UserError(`${path} has ${size} bytes; meshes up to 2 GiB can be loaded.`)
    return await readFile(path)
  } catch (error) {
    if (error instanceof UserError) throw error
    if (codeOf(error) === 'ENOENT') throw new UserError(`File not found: ${path}`, { cause: error })
    throw new UserError(`The mesh ${path} cannot be read: ${fileErrorReason(error)}.`, { cause: error })
  }
}
