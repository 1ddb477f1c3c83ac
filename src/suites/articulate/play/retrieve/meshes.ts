/** Meshes of parts, for what was planned in words. */
import { type DataFiles, LruCache } from '../../../../suite.ts'
import { kindOf } from '../../domain/assembly/parts.ts'
import { modelOf, type ObjectRef, readableModel } from '../../domain/objects/find.ts'
import { type ArticulatedModel, type ModelPart, withShelf } from '../../domain/objects/model.ts'
import type { PlannedMesh } from './outcome.ts'
import type { Candidate } from './sample.ts'

export interface MeshKind {
  category: string
  kind: string
  /** The first object of the pool that has one. */
  at: number
}

/** Kinds of parts by object, once per process: a folder can have hundreds. Null if its files cannot be read. */
const known = new LruCache<Promise<string[] | null>>(4096)

function kindsIn(object: ObjectRef, files: DataFiles): Promise<string[] | null> {
  return known.getOrCreate(JSON.stringify(object), async () => {
    const model = await readableModel(object, files)
    return model && [...new Set(model.parts.map(({ name }) => kindOf(name)))]
  })
}

/** One mesh per category and kind of part, from the first object of the category that has one. */
export async function meshKinds(pool: readonly Candidate[], files: DataFiles): Promise<MeshKind[]> {
  const found = new Map<string, MeshKind>()
  for (const [at, { category, object }] of pool.entries())
    for (const kind of (await kindsIn(object, files)) ?? []) {
      const key = `${category}/${kind}`
      if (!found.has(key)) found.set(key, { category, kind, at })
    }
  return [...found.values()]
}

/** The planned parts with their meshes, each scaled along its axes to the planned box. Nothing is placed yet. */
export async function plannedModel(
  plan: readonly PlannedMesh[],
  pool: readonly Candidate[],
  files: DataFiles,
): Promise<ArticulatedModel> {
  const kinds = await meshKinds(pool, files)
  const parts: ModelPart[] = []
  for (const { name, dimensions, mesh } of plan) {
    const kind = mesh && kinds.find((each) => each.category === mesh.category && each.kind === mesh.kind)
    if (!kind) continue
    const model = await modelOf(pool[kind.at]!.object, files)
    const part = model.parts.find((each) => kindOf(each.name) === kind.kind)!
    // A flat mesh stays flat: there is nothing to scale.
    const scale = part.size.map((side, k) => (side > 1e-6 ? dimensions[k]! / side : 1))
    const positions = part.mesh.positions.map((value, i) => value * scale[i % 3]!)
    parts.push({ name, mesh: { ...part.mesh, positions }, occluders: [], size: [...dimensions], center: [0, 0, 0] })
  }
  const joints = parts.slice(1).map(({ name }) => ({
    parent: parts[0]!.name,
    child: name,
    type: 'fixed' as const,
    origin: [0, 0, 0] as const,
    axis: [1, 0, 0] as const,
    lower: 0,
    upper: 0,
  }))
  return withShelf({
    category: 'object',
    title: 'object',
    id: 'planned',
    parts,
    joints: joints.map((joint) => ({ ...joint, origin: [0, 0, 0], axis: [1, 0, 0] })),
    ground: 0,
  })
}
