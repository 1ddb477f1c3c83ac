import { basename } from 'node:path'
import { sha256 } from '../../base/hash.ts'
import type { TriangleMesh } from '../mesh.ts'
import { toWorldAxes, type UpAxis } from './axes.ts'
import { brokenFile } from './broken.ts'
import { parseDae } from './dae.ts'
import { type MeshFormat, meshFormat } from './format.ts'
import { parseGltf } from './gltf.ts'
import { readMeshFile } from './mesh-file.ts'
import { parseObj } from './obj.ts'
import type { MeshPart, ParsedMesh } from './parsed-mesh.ts'
import { parseTexturedPly } from './ply-textures.ts'
import { needsShading, shadeByNormal } from './shade.ts'
import { ReadAllowance, SiblingFiles } from './sibling-files.ts'
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
 * Parses a mesh in the calling thread: without a limit on time, so only for bytes that you trust; others go through
 * `loadMesh`. `path` is where the files that it names are looked for.
 *
 * @param onRead called with the size of each of them
 */
export async function parseMesh(
  bytes: Uint8Array,
  path: string,
  options: LoadOptions = {},
  onRead?: (bytes: number) => void,
): Promise<LoadedMesh> {
  const beside = new SiblingFiles(path, new ReadAllowance(onRead))
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
        return parseUrdfMesh(bytes, path, beside, (part, notes) => partOfRobot(part, notes, beside.allowance))
      case 'glb':
      case 'gltf':
        return parseGltf(bytes, file, beside)
    }
  }
}

/** A mesh as a robot uses it: in meters, its axes as they are but for glTF, whose axes are turned wherever it is used. */
async function partOfRobot(path: string, notes: string[], allowance: ReadAllowance): Promise<ParsedMesh> {
  const beside = new SiblingFiles(path, allowance)
  const bytes = await readMeshFile(path, (file) => allowance.read(file))
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
