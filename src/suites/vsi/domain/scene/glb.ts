/** Exports scenes as GLB for the viewer. */
import { UserError } from '../../../../suite.ts'
import { buildScene, loadMesh, type TriangleMesh, writeGlb } from '../../../../world.ts'
import type { BuiltinOrigin } from './origin.ts'
import { builtScene } from './built.ts'

/** Several hundred megabytes as GLB; anything larger is too much for a browser. */
const MAX_TRIANGLES = 4_000_000

export type GlbOrigin = { path: string } | BuiltinOrigin

export async function glbOf(origin: GlbOrigin): Promise<Uint8Array> {
  if ('path' in origin) return write((await loadMesh(origin.path)).mesh)
  const { scene, objects } = builtScene(origin)
  const names = new Map(objects.map(({ instance, category }) => [instance, category]))
  return write(buildScene(scene, { look: origin.look }).mesh, names)
}

function write(mesh: TriangleMesh, names?: ReadonlyMap<number, string>): Promise<Uint8Array> {
  const triangles = mesh.indices.length / 3
  if (triangles > MAX_TRIANGLES) {
    throw new UserError(`This scene has ${triangles.toLocaleString('en')} triangles: too large for a browser.`, {
      hint: 'Use the map from above, which shows the same path.',
    })
  }
  return writeGlb(mesh, names === undefined ? {} : { names })
}
