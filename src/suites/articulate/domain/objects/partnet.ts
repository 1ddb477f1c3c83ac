/** Objects of PartNet-Mobility, from their folders. */
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import {
  isLfsPointer,
  MissingAssetError,
  messageOf,
  UserError,
  fileErrorReason,
  readRegularText,
  readForeignJson,
} from '../../../../suite.ts'
import {
  compose,
  type Frame,
  frameOf,
  inverse,
  type Joint,
  jointStates,
  linkFrames,
  loadMesh,
  type Material,
  meshPath,
  moved,
  type ObjectMesh,
  poseFrame,
  readUrdf,
  type Robot,
  rootOf,
  rpyOf,
  scaled,
  type Shape,
  subtract,
  type Vec3,
  vertexNormals,
  walkOrder,
} from '../../../../world.ts'
import { type Box, boxAround, centerOf, sizeOf } from '../assembly/box.ts'
import { type ArticulatedModel, type ModelJoint, type ModelPart, withShelf } from './model.ts'

const MAX_TRIANGLES = 2_000_000

/** The names of the folders in `root` that hold an object, in order of their numbers. */
export async function partNetFolders(root: string): Promise<string[]> {
  let names: string[]
  try {
    names = await readdir(root)
  } catch (error) {
    throw new UserError(`The folder ${root} cannot be read: ${fileErrorReason(error)}.`, {
      hint: 'Give the folder that holds the numbered objects.',
      cause: error,
    })
  }
  const found: string[] = []
  for (const name of names.sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1))) {
    const files = await readdir(join(root, name)).catch((): string[] => [])
    if (files.includes('mobility.urdf')) found.push(name)
  }
  if (found.length > 0) return found
  throw new UserError(`No folder below ${root} holds a mobility.urdf.`, {
    hint: 'PartNet-Mobility has one numbered folder per object, with mobility.urdf and textured_objs in it.',
  })
}

/** Reads an object: parts by their semantic names, standing with the front to +x. */
export async function loadPartNet(folder: string): Promise<ArticulatedModel> {
  const file = join(folder, 'mobility.urdf')
  const text = await readRegularText(file).catch((error: unknown) => {
    throw new MissingAssetError(`${file} cannot be read: ${fileErrorReason(error)}.`)
  })
  if (isLfsPointer(text))
    throw new MissingAssetError(
      `${file} is a Git LFS pointer, not the file itself: run \`git lfs pull\` in its folder.`,
    )
  const robot = facingFront(readUrdf(text, file).robot)
  const frames = linkFrames(robot)
  const semantics = await semanticsIn(folder)
  const names = partNames(semantics, robot)
  const parts = new Map<string, ModelPart>()
  for (const { name: link, visuals } of robot.links) {
    const name = names.get(link)
    if (name === undefined) continue
    const part = await partOf(name, visuals, frames.get(link)!, folder)
    if (part) parts.set(link, part)
  }
  const order = [rootOf(robot)!, ...walkOrder(robot).map(({ child }) => child)].filter((link) => parts.has(link))
  const [root] = order
  if (root === undefined) throw new MissingAssetError(`${file} has no part with a mesh.`)
  const middle = parts.get(root)!.center
  const placed = order.map((link): ModelPart => {
    const part = parts.get(link)!
    return { ...part, center: subtract(part.center, middle) }
  })
  const lowest = Math.min(...placed.map(({ center, size }) => center[2] - size[2] / 2))
  const category = await categoryOf(folder)
  return withShelf({
    category,
    title: category.replaceAll('_', ' '),
    id: basename(folder),
    parts: placed,
    joints: jointsOf(robot, { parts, order, root, middle, semantics }),
    ground: -lowest,
    dataset: {
      meshes: new Map(
        robot.links.flatMap(({ name: link, visuals: [visual] }): [string, Frame][] => {
          const part = parts.get(link)
          if (!part || !visual) return []
          const mesh = compose(frames.get(link)!, poseFrame(visual.origin))
          return [[part.name, compose(inverse(mesh), frameOf(part.center))]]
        }),
      ),
      middle,
      parts: new Map(
        robot.joints.flatMap(({ name, child }) => {
          // A helper carries one part, through a second joint.
          const link = parts.has(child) ? child : robot.joints.find(({ parent }) => parent === child)?.child
          const part = link === undefined ? undefined : parts.get(link)
          return part ? [[name, part.name]] : []
        }),
      ),
    },
  })
}

/** The dataset's root joint turns fronts to −x; half a turn about the mesh's own upright faces them to us. */
function facingFront(robot: Robot): Robot {
  const base = rootOf(robot)
  const first = robot.joints.find(({ parent, type }) => parent === base && type === 'fixed')
  const front = first ? turnedTo(first.origin.rpy) : null
  if (!first || !front) return robot
  return {
    ...robot,
    joints: robot.joints.map((joint) =>
      joint === first ? { ...joint, origin: { ...joint.origin, rpy: front } } : joint,
    ),
  }
}

function turnedTo(rpy: Vec3): Vec3 | null {
  const front = moved(frameOf([0, 0, 0], rpy), [0, 0, 1])
  return front[0] < -0.5 ? rpyOf(compose(frameOf([0, 0, 0], rpy), frameOf([0, 0, 0], [0, Math.PI, 0]))) : null
}

interface Semantic {
  /** `hinge`, `slider`, `slider+`, `heavy`, `free`, `static`, `junk` … */
  joint: string
  label: string
}

const mobilitySemantics = z.array(z.object({ id: z.number(), joint: z.string().default(''), name: z.string() }))

/** By link: from `semantics.txt`, or, where an object has none, from `mobility_v2.json`, whose numbers are the links'. */
async function semanticsIn(folder: string): Promise<Map<string, Semantic>> {
  const text = await readRegularText(join(folder, 'semantics.txt')).catch(() => '')
  const lines = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields.length >= 3)
  if (lines.length > 0)
    return new Map(lines.map(([link, joint, ...label]) => [link!, { joint: joint!, label: label.join('_') }]))
  try {
    const read: unknown = await readForeignJson(join(folder, 'mobility_v2.json'))
    return new Map(mobilitySemantics.parse(read).map(({ id, joint, name }) => [`link_${id}`, { joint, label: name }]))
  } catch {
    // Links without labels are still links: they keep their names.
    return new Map()
  }
}

/** Labels without words that give the motion away, numbered: door, door_2. Links without a mesh have none. */
function partNames(semantics: ReadonlyMap<string, Semantic>, robot: Robot): Map<string, string> {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  for (const { name: link, visuals } of robot.links) {
    if (visuals.length === 0 || link.includes('helper')) continue
    const label = (semantics.get(link)?.label ?? link)
      .replaceAll(/_?(?:translation|rotation|continuous)_?/gi, '')
      .replaceAll(/\W/g, '_')
    const kind = label === '' || label === 'base' ? 'part' : label
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    names.set(link, count === 1 ? kind : `${kind}_${count}`)
  }
  return names
}

export async function categoryOf(folder: string): Promise<string> {
  try {
    const meta: unknown = await readForeignJson(join(folder, 'meta.json'))
    if (typeof meta === 'object' && meta !== null && 'model_cat' in meta && typeof meta.model_cat === 'string')
      return meta.model_cat
  } catch {
    // Objects without a description are still objects.
  }
  return 'object'
}

async function partOf(
  name: string,
  visuals: readonly Shape[],
  frame: Frame,
  folder: string,
): Promise<ModelPart | null> {
  const pieces: Piece[] = []
  for (const { origin, geometry } of visuals) {
    if (geometry.kind !== 'mesh') continue
    const path = meshPath(geometry.filename, folder)
    const { mesh } = await loadMesh(path, { uncolored: 'leave' }).catch((error: unknown) => {
      // A reader says itself what is wrong with a file.
      const reason =
        error instanceof UserError ? messageOf(error) : `${path} cannot be read: ${fileErrorReason(error)}.`
      throw new MissingAssetError(reason, { cause: error })
    })
    pieces.push({ mesh, frame: compose(frame, poseFrame(origin)), scale: geometry.scale })
  }
  const mesh = joined(pieces)
  const box = boxAround(mesh.positions, frameOf([0, 0, 0]))
  if (!box) return null
  if (mesh.indices.length / 3 > MAX_TRIANGLES)
    throw new MissingAssetError(`The part ${name} in ${folder} has more than ${MAX_TRIANGLES} triangles.`)
  return aroundMiddle(name, mesh, box)
}

interface Piece {
  mesh: Awaited<ReturnType<typeof loadMesh>>['mesh']
  frame: Frame
  scale: Vec3
}

function aroundMiddle(name: string, mesh: ObjectMesh, box: Box): ModelPart {
  const center = centerOf(box)
  const positions = mesh.positions.map((value, i) => value - center[i % 3]!)
  const size = sizeOf(box)
  const half: Vec3 = scaled(size, 0.5)
  return {
    name,
    mesh: { ...mesh, positions },
    size,
    center,
    occluders: [{ frame: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], half }],
  }
}

function joined(pieces: readonly Piece[]): ObjectMesh {
  const vertices = pieces.reduce((sum, { mesh }) => sum + mesh.positions.length / 3, 0)
  const triangles = pieces.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0)
  const positions = new Float32Array(vertices * 3)
  const uvs = new Float32Array(vertices * 2)
  const indices = new Uint32Array(triangles * 3)
  const triangleMaterials = new Uint16Array(triangles)
  const materials: Material[] = []
  let vertex = 0
  let triangle = 0
  for (const { mesh, frame, scale } of pieces) {
    for (let i = 0; i < mesh.positions.length; i += 3) {
      const p = mesh.positions
      const at = moved(frame, [p[i]! * scale[0], p[i + 1]! * scale[1], p[i + 2]! * scale[2]])
      positions.set(at, vertex * 3 + i)
    }
    if (mesh.uvs) uvs.set(mesh.uvs, vertex * 2)
    for (let i = 0; i < mesh.indices.length; i++) indices[triangle * 3 + i] = mesh.indices[i]! + vertex
    for (let i = 0; i < mesh.indices.length / 3; i++)
      triangleMaterials[triangle + i] = (mesh.triangleMaterials?.[i] ?? 0) + materials.length
    materials.push(
      ...(mesh.materials.length > 0 ? mesh.materials : [{ name: 'plain', color: [200, 200, 200] as const }]),
    )
    vertex += mesh.positions.length / 3
    triangle += mesh.indices.length / 3
  }
  return { positions, normals: vertexNormals({ positions, indices }), uvs, indices, triangleMaterials, materials }
}

/** Every part but the root hangs on the nearest part above it; links without a mesh are passed over. */
function jointsOf(
  robot: Robot,
  {
    parts,
    order,
    root,
    middle,
    semantics,
  }: {
    parts: ReadonlyMap<string, ModelPart>
    order: readonly string[]
    root: string
    middle: Vec3
    semantics: ReadonlyMap<string, Semantic>
  },
): ModelJoint[] {
  const above = new Map(robot.joints.map((joint) => [joint.child, joint]))
  const states = new Map(jointStates(robot).map((state) => [state.name, state]))
  return order.slice(1).map((link): ModelJoint => {
    let joint: Joint | undefined = above.get(link)
    const chain = joint ? [joint] : []
    while (joint && !parts.has(joint.parent)) {
      joint = above.get(joint.parent)
      if (joint) chain.push(joint)
    }
    const moving = movingJoint(chain, semantics.get(link)?.joint ?? '')
    const state = moving ? states.get(moving.name) : undefined
    const part = parts.get(link)!
    const type = moving?.type
    const known = type === 'revolute' || type === 'prismatic' || type === 'continuous' ? type : 'fixed'
    const limit = moving?.limit ?? { lower: 0, upper: 0 }
    return {
      parent: parts.get(joint?.parent ?? root)!.name,
      child: part.name,
      type: known,
      origin: subtract(known === 'prismatic' || !state ? part.center : state.origin, middle),
      axis: state?.axis ?? [1, 0, 0],
      lower: Math.min(limit.lower, limit.upper),
      upper: Math.max(limit.lower, limit.upper),
    }
  })
}

/**
 * The joint that moves a part, of those between it and the part it hangs on. A lid that screws (`slider+`) both slides and
 * turns, through a link without a mesh: the dataset calls it a slider.
 */
function movingJoint(chain: readonly Joint[], kind: string): Joint | undefined {
  const moving = chain.filter(({ type }) => type !== 'fixed')
  const slides = moving.find(({ type }) => type === 'prismatic')
  if (kind.startsWith('slider') && slides) return slides
  const turns = moving.find(({ type }) => type === 'revolute' || type === 'continuous')
  if (kind.startsWith('hinge') && turns) return turns
  return slides ?? turns ?? moving[0] ?? chain[0]
}
