import { basename } from 'node:path'
import { readRegular } from '../../base/regular-file.ts'
import { codeOf, UserError, fileErrorReason } from '../../base/errors.ts'
import { sha256 } from '../../base/hash.ts'
import type { TriangleMesh } from '../mesh.ts'
import { toWorldAxes, type UpAxis } from './axes.ts'
import { brokenFile } from './broken.ts'
import { parseDae } from './dae.ts'
import { type MeshFormat, meshFormat } from './format.ts'
import { parseGltf } from './gltf.ts'
import { parseObj } from './obj.ts'
import type { MeshPart, ParsedMesh } from './parsed-mesh.ts'
import { parseTexturedPly } from './ply-textures.ts'
import { needsShading, shadeByNormal } from './shade.ts'
import { SiblingFiles } from './sibling-files.ts'
import { parseStl } from './stl.ts'
import { guessUnit } from './units.ts'
import { parseUrdfMesh } from './urdf-mesh.ts'

export interface LoadOptions {
  /**
   * Which axis is up in the file. Default: what the file says (DAE), y for glTF and z for URDF, as their standards say,
   * z for the others, as scans have it.
   */
  up?: UpAxis
  /**
   * For a file in millimeters, 0.001. `guess` takes the unit that gives the mesh a plausible size, with a note unless
   * that is the meter. Default: what the file says (DAE), else 1.
   */
  metersPerUnit?: number | 'guess'
  /**
   * What surfaces look like whose light was not captured with their color. Default `shade`: darker and lighter by the
   * surface's direction.
   */
  uncolored?: 'shade' | 'leave'
}

export interface LoadedMesh {
  mesh: TriangleMesh
  format: MeshFormat
  /** SHA-256 of the file's bytes; what it names (textures, buffers) is not part of it. */
  sha256: string
  /** Whether it names no other files, so that its hash says all. */
  selfContained: boolean
  /** Named nodes of a glTF file or links of a robot, by the number in `triangleInstances`. */
  parts: readonly MeshPart[]
  /** What the file names but could not be used, and what was guessed, in words. */
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
  const beside = new SiblingFiles(path)
  const { format, parsed } = await parse(bytes, path, beside)
  // Files are read side by side, so notes come in any order.
  const notes = [...new Set(beside.notes)].toSorted()
  const up = options.up ?? parsed.up ?? 'z'
  const scale = scaleOf(parsed, options.metersPerUnit, format, notes)
  const placed = toWorldAxes(parsed.mesh, up, scale)
  const shading = parsed.shading ?? []
  const shaded = options.uncolored !== 'leave' && needsShading(placed, shading)
  return {
    mesh: shaded ? shadeByNormal(placed, shading) : placed,
    format,
    sha256: sha256(bytes),
    selfContained: beside.count === 0,
    parts: parsed.parts ?? [],
    notes,
  }
}

async function parse(
  bytes: Uint8Array,
  path: string,
  beside: SiblingFiles,
): Promise<{ format: MeshFormat; parsed: ParsedMesh }> {
  const file = basename(path)
  const format = meshFormat(bytes, file)
  return { format, parsed: await reader() }

  function reader(): ParsedMesh | Promise<ParsedMesh> {
    switch (format) {
      case 'ply':
        return parseTexturedPly(bytes, file, beside)
      case 'obj':
        return parseObj(bytes, file, beside)
      case 'stl':
        return parseStl(bytes, file)
      case 'dae':
        return parseDae(bytes, file, beside)
      case 'urdf':
        return parseUrdfMesh(bytes, path, beside, partOfRobot)
      case 'glb':
      case 'gltf':
        return parseGltf(bytes, file, beside)
    }
  }
}

/** A mesh as a robot uses it: in meters, its axes as they are but for glTF, whose axes are turned wherever it is used. */
async function partOfRobot(path: string, notes: string[]): Promise<ParsedMesh> {
  const beside = new SiblingFiles(path)
  const bytes = await readMeshFile(path)
  if (meshFormat(bytes, basename(path)) === 'urdf') throw brokenFile(basename(path), 'a robot is not a mesh')
  const { format, parsed } = await parse(bytes, path, beside)
  notes.push(...beside.notes.map((note) => `${basename(path)}: ${note}`))
  const up = format === 'glb' || format === 'gltf' ? 'y' : 'z'
  return { ...parsed, mesh: toWorldAxes(parsed.mesh, up, parsed.metersPerUnit) }
}

function scaleOf(
  { mesh, metersPerUnit }: ParsedMesh,
  wanted: LoadOptions['metersPerUnit'],
  format: MeshFormat,
  notes: string[],
): number {
  const said = metersPerUnit ?? 1
  if (wanted === undefined) return said
  if (wanted !== 'guess') return wanted
  const { scale, note } = guessUnit(mesh.positions, said, format)
  if (note !== undefined) notes.push(note)
  return scale
}

/** The bytes of a mesh file, or a sentence on why there are none. */
export async function readMeshFile(path: string): Promise<Uint8Array> {
  try {
    return await readRegular(path)
  } catch (error) {
    if (error instanceof UserError) throw error
    if (codeOf(error) === 'ENOENT') throw new UserError(`File not found: ${path}`, { cause: error })
    throw new UserError(`The mesh ${path} cannot be read: ${fileErrorReason(error)}.`, { cause: error })
  }
}
