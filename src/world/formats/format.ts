import { brokenFile } from './broken.ts'
import { isLfsPointer } from '../../base/git-lfs.ts'
import { isGlb } from './gltf-document.ts'
import { isStl } from './stl.ts'

export type MeshFormat = 'ply' | 'obj' | 'glb' | 'gltf' | 'stl' | 'dae' | 'urdf'

const UNDERSTOOD = 'PLY, OBJ, STL, GLB, glTF, DAE and URDF are understood; Blender converts most others to GLB.'
/** What other programs' files start with. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^Kaydara FBX/, 'an FBX file'],
  [/^BLENDER/, 'a Blender file'],
  [/^PK/, 'a zip archive'],
  [/^PXR-USDC|^#usda/, 'a USD file'],
  [/^(C|N|ST|4)*OFF\s/, 'an OFF file'],
  [/^glTF/, 'a broken GLB file'],
  [/^DRACO/, 'a bare Draco file'],
]

/** What the bytes of a file say that it is. */
export function meshFormat(bytes: Uint8Array, file: string): MeshFormat {
  if (bytes.length === 0) throw brokenFile(file, 'it is empty (0 bytes)', 'Copy or download it again.')
  if (isLfsPointer(bytes))
    throw brokenFile(file, 'it is a Git LFS pointer, not the file itself', 'Run `git lfs pull` in its repository.')
  if (isGlb(bytes)) return 'glb'
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
  if (/^ply\s/.test(start)) return 'ply'
  if (isStl(bytes)) return 'stl'
  if (/^\s*\{/.test(start)) return 'gltf'
  if (/^\s*</.test(start)) return xmlFormat(bytes, file)
  const other = OTHERS.find(([first]) => first.test(start))
  if (other) throw brokenFile(file, `it is ${other[1]}, which Sightline does not read`, UNDERSTOOD)
  const binary = start.includes('\0')
  if (!binary && /^\s*(newmtl)\s/m.test(start) && !/^\s*[vf]\s/m.test(start))
    throw brokenFile(file, 'it holds the materials of an OBJ mesh', 'Open the OBJ file next to it.')
  if (!binary && /^\s*(#|v|vt|vn|f|o|g|s|mtllib|usemtl)(\s|$)/m.test(start)) return 'obj'
  throw brokenFile(file, 'it is no mesh that Sightline reads', UNDERSTOOD)
}

/** Comments before the root element, such as licenses, are shorter than this. */
const PROLOG_BYTES = 1 << 16

function xmlFormat(bytes: Uint8Array, file: string): 'dae' | 'urdf' {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PROLOG_BYTES)).toString('latin1')
  for (let at = start.indexOf('<'); at !== -1;) {
    const comment = start.startsWith('<!--', at)
    if (!comment && start[at + 1] !== '?' && start[at + 1] !== '!') {
      const name = /^<([\w.:-]*)/.exec(start.slice(at, at + 64))?.[1] ?? ''
      if (name.toLowerCase() === 'collada') return 'dae'
      if (name === 'robot') return 'urdf'
      const what = name === 'sdf' ? 'an SDF file' : name === 'mujoco' ? 'a MuJoCo file' : `XML with the root <${name}>`
      throw brokenFile(file, `it is ${what}, which Sightline does not read`, UNDERSTOOD)
    }
    const end = start.indexOf(comment ? '-->' : '>', at)
    at = end === -1 ? -1 : start.indexOf('<', end)
  }
  throw brokenFile(file, 'it is XML without a root element', UNDERSTOOD)
}
