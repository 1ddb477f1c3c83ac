/** From a mesh to clusters: small groups of neighboring triangles with vertices of their own. Done once a scene. */
import { UserError } from '../../base/errors.ts'
import type { Material, Texture, TriangleMesh } from '../mesh.ts'
import * as at from './layout.ts'
import { packLight } from './light.ts'
import { levelTable, mipLevels, mipTexels, writeMipmaps } from './mipmaps.ts'
import { mortonOrder } from './morton.ts'
import { PreparedScene, sceneMemory, type SceneViews, sceneViews } from './scene.ts'
import { srgbToLinear } from './srgb.ts'

export interface PrepareOptions {
  /** Remember each triangle's number in the mesh, for `Picture.triangles`; four bytes per triangle. @default false */
  keepTriangleNumbers?: boolean
}

const WHITE: Material = { name: 'white', color: [255, 255, 255] }

/**
 * Makes a mesh ready to be drawn. The mesh itself is not needed afterwards.
 *
 * @example
 * const renderer = new Renderer(prepareScene(mesh))
 */
export function prepareScene(mesh: TriangleMesh, options: PrepareOptions = {}): PreparedScene {
  check(mesh)
  const materials = mesh.materials.length > 0 ? mesh.materials : [WHITE]
  const glass = materials.map(isGlass)
  const materialOf = mesh.triangleMaterials
  const isLast = (triangle: number): boolean => glass[materialOf?.[triangle] ?? 0]!
  const order = mortonOrder(mesh.positions, mesh.indices, glass.includes(true) ? isLast : () => false)
  const cut = cutIntoClusters(mesh, order, isLast)

  const { words, textures, bytes } = planLayout(mesh, materials, cut, options)
  const memory = sceneMemory(bytes)
  new Uint32Array(memory.buffer, at.SCENE_START, words.length).set(words)
  const views = sceneViews(memory)
  writeClusters(mesh, order, cut, views)
  for (const [texture, start] of textures) writeTexture(views, texture, start)
  for (const [i, material] of materials.entries()) writeMaterial(views, i, material, textures)
  writeBounds(memory, views, cut.clusters)
  return new PreparedScene(memory)
}

function isGlass({ opacity = 1, texture }: Material): boolean {
  if (opacity < 1) return true
  return texture !== undefined && isSeenThrough(texture)
}

/** Scenes share textures, whose pixels do not change. */
const seenThrough = new WeakMap<Texture, boolean>()

function isSeenThrough(texture: Texture): boolean {
  let known = seenThrough.get(texture)
  if (known === undefined) {
    const { rgba } = texture
    known = false
    for (let i = 3; i < rgba.length && !known; i += 4) known = rgba[i]! < 255
    seenThrough.set(texture, known)
  }
  return known
}

function check(mesh: TriangleMesh): void {
  const vertices = mesh.positions.length / 3
  const triangles = mesh.indices.length / 3
  const wrong = (what: string): never => {
    throw new UserError(`The mesh cannot be drawn: ${what}.`, {
      hint: 'The loader or generator of the mesh is at fault.',
    })
  }
  if (!Number.isInteger(vertices)) wrong(`it has ${mesh.positions.length} coordinates, which is not a multiple of 3`)
  if (!Number.isInteger(triangles)) wrong(`it has ${mesh.indices.length} corner numbers, which is not a multiple of 3`)
  for (let i = 0; i < mesh.indices.length; i++)
    if (mesh.indices[i]! >= vertices)
      wrong(`triangle ${Math.floor(i / 3)} names vertex ${mesh.indices[i]}, but there are ${vertices}`)
  const lengths = [
    ['colors', mesh.colors?.length, vertices * 3],
    ['uvs', mesh.uvs?.length, vertices * 2],
    ['light', mesh.light?.length, vertices * 3],
    ['triangleMaterials', mesh.triangleMaterials?.length, triangles],
    ['triangleInstances', mesh.triangleInstances?.length, triangles],
  ] as const
  for (const [name, found, wanted] of lengths)
    if (found !== undefined && found !== wanted) wrong(`${name} has ${found} entries instead of ${wanted}`)
  const materials = Math.max(1, mesh.materials.length)
  const named = mesh.triangleMaterials ?? []
  for (let i = 0; i < named.length; i++)
    if (named[i]! >= materials) wrong(`triangle ${i} names material ${named[i]}, but there are ${materials}`)
  for (const { name, texture } of mesh.materials)
    if (
      texture &&
      (texture.width < 1 || texture.height < 1 || texture.rgba.length < texture.width * texture.height * 4)
    )
      wrong(`the texture of material ${name} is smaller than its ${texture.width} × ${texture.height} texels`)
}

interface Cut {
  clusters: number
  solid: number
  /** Where each cluster begins in the order, and one past the last. */
  first: Uint32Array
  /** Vertices with the padding that starts each cluster at a multiple of four. */
  paddedVertices: number
}

/** Takes triangles in order until a cluster has its fill of triangles or of distinct vertices. */
function cutIntoClusters(mesh: TriangleMesh, order: Uint32Array, isLast: (triangle: number) => boolean): Cut {
  const { indices } = mesh
  const seenIn = new Uint32Array(mesh.positions.length / 3)
  // At least 42 triangles fit: 128 vertices hold 42 that share none.
  const first = new Uint32Array(Math.ceil(order.length / 42) + 3)
  let clusters = 0
  let solid = -1
  let vertices = 0
  let paddedVertices = 0
  const close = (): void => {
    paddedVertices += (vertices + 3) & ~3
    vertices = 0
    clusters++
  }
  for (let i = 0; i < order.length; i++) {
    const t = order[i]! * 3
    let fresh = 0
    for (let corner = 0; corner < 3; corner++) if (seenIn[indices[t + corner]!] !== clusters + 1) fresh++
    const glassBegins = solid < 0 && isLast(order[i]!)
    const full = at.CLUSTER_TRIANGLES === i - first[clusters]! || vertices + fresh > at.CLUSTER_VERTICES
    if (i > first[clusters]! && (full || glassBegins)) {
      close()
      first[clusters] = i
    }
    if (glassBegins) solid = clusters
    for (let corner = 0; corner < 3; corner++) {
      const v = indices[t + corner]!
      if (seenIn[v] === clusters + 1) continue
      seenIn[v] = clusters + 1
      vertices++
    }
  }
  if (order.length > 0) close()
  first[clusters] = order.length
  return { clusters, solid: solid < 0 ? clusters : solid, first, paddedVertices }
}

function planLayout(mesh: TriangleMesh, materials: readonly Material[], cut: Cut, options: PrepareOptions) {
  const triangles = cut.first[cut.clusters]!
  const vertices = cut.paddedVertices
  const words = new Uint32Array(at.HEADER_BYTES / 4)
  let end = at.HEADER_BYTES
  /** The kernel reads 16 bytes at a time: blocks begin at multiples of 16 and are followed by 16 spare ones. */
  const place = (bytes: number): number => {
    const start = end
    end = Math.ceil((start + bytes + 16) / 16) * 16
    return start
  }
  const boxStride = (cut.clusters + 3) & ~3
  words[at.H_MAGIC] = at.SCENE_MAGIC
  words[at.H_VERSION] = at.SCENE_VERSION
  words[at.H_CLUSTERS] = cut.clusters
  words[at.H_SOLID_CLUSTERS] = cut.solid
  words[at.H_TRIANGLES] = triangles
  words[at.H_VERTICES] = vertices
  words[at.H_MATERIALS] = materials.length
  words[at.H_FLAGS] = (mesh.colors ? at.HAS_COLORS : 0) | (mesh.uvs ? at.HAS_UVS : 0) | (mesh.light ? at.HAS_LIGHT : 0)
  words[at.H_BOX_STRIDE] = boxStride
  words[at.H_AT_BOXES] = place(boxStride * 4 * 6)
  words[at.H_AT_CLUSTER_VERTEX] = place(cut.clusters * 4)
  words[at.H_AT_CLUSTER_TRIANGLE] = place(cut.clusters * 4)
  words[at.H_AT_CLUSTER_COUNTS] = place(cut.clusters * 2)
  for (const word of [at.H_AT_X, at.H_AT_Y, at.H_AT_Z]) words[word] = place(vertices * 4)
  for (const word of [at.H_AT_INDEX_0, at.H_AT_INDEX_1, at.H_AT_INDEX_2]) words[word] = place(triangles)
  words[at.H_AT_TRIANGLE_MATERIAL] = place(triangles * 2)
  words[at.H_AT_TRIANGLE_INSTANCE] = place(triangles * 2)
  if (mesh.colors) words[at.H_AT_COLORS] = place(vertices * 4)
  if (mesh.uvs) words[at.H_AT_UVS] = place(vertices * 8)
  if (mesh.light) words[at.H_AT_LIGHT] = place(vertices * 4)
  words[at.H_AT_MATERIALS] = place(materials.length * at.MATERIAL_BYTES)
  if (options.keepTriangleNumbers === true) words[at.H_AT_SOURCE] = place(triangles * 4)
  const textures = new Map<Texture, number>()
  if (mesh.uvs)
    for (const { texture } of materials)
      if (texture && !textures.has(texture))
        textures.set(texture, place(at.LEVEL_TABLE_BYTES + mipTexels(texture.width, texture.height) * 4))
  words[at.H_BYTES] = end
  return { words, textures, bytes: end }
}

function writeClusters(mesh: TriangleMesh, order: Uint32Array, cut: Cut, views: SceneViews): void {
  const { indices, positions } = mesh
  const vertexCount = positions.length / 3
  const seenIn = new Uint32Array(vertexCount)
  const localOf = new Uint8Array(vertexCount)
  const corners = [views.index0, views.index1, views.index2]
  let vertexStart = 0
  for (let cluster = 0; cluster < cut.clusters; cluster++) {
    const from = cut.first[cluster]!
    const to = cut.first[cluster + 1]!
    let vertices = 0
    for (let i = from; i < to; i++) {
      const t = order[i]!
      for (let corner = 0; corner < 3; corner++) {
        const v = indices[t * 3 + corner]!
        if (seenIn[v] !== cluster + 1) {
          seenIn[v] = cluster + 1
          localOf[v] = vertices
          writeVertex(mesh, v, views, vertexStart + vertices)
          vertices++
        }
        corners[corner]![i] = localOf[v]!
      }
      views.triangleMaterial[i] = mesh.triangleMaterials?.[t] ?? 0
      views.triangleInstance[i] = mesh.triangleInstances?.[t] ?? 0
      if (views.source) views.source[i] = t
    }
    // The padding repeats the last vertex, so that it never enlarges the cluster's box.
    const padded = (vertices + 3) & ~3
    for (let spare = vertices; spare < padded; spare++)
      for (const axis of [views.x, views.y, views.z]) axis[vertexStart + spare] = axis[vertexStart + vertices - 1]!
    writeBox(views, cluster, vertexStart, vertices)
    views.clusterVertex[cluster] = vertexStart
    views.clusterTriangle[cluster] = from
    views.clusterCounts[cluster * 2] = vertices
    views.clusterCounts[cluster * 2 + 1] = to - from
    vertexStart += padded
  }
}

function writeVertex({ positions, colors, uvs, light }: TriangleMesh, v: number, views: SceneViews, to: number): void {
  views.x[to] = positions[v * 3]!
  views.y[to] = positions[v * 3 + 1]!
  views.z[to] = positions[v * 3 + 2]!
  if (views.colors && colors) {
    views.colors[to * 4] = colors[v * 3]!
    views.colors[to * 4 + 1] = colors[v * 3 + 1]!
    views.colors[to * 4 + 2] = colors[v * 3 + 2]!
    views.colors[to * 4 + 3] = 255
  }
  if (views.uvs && uvs) {
    views.uvs[to * 2] = uvs[v * 2]!
    views.uvs[to * 2 + 1] = uvs[v * 2 + 1]!
  }
  if (views.light && light) views.light[to] = packLight(light[v * 3]!, light[v * 3 + 1]!, light[v * 3 + 2]!)
}

/** Six arrays: least x, y, z, greatest x, y, z. */
function writeBox({ boxes, boxStride, x, y, z }: SceneViews, cluster: number, from: number, count: number): void {
  for (const [axis, values] of [x, y, z].entries()) {
    let least = Infinity
    let greatest = -Infinity
    for (let i = from; i < from + count; i++) {
      const value = values[i]!
      if (value < least) least = value
      if (value > greatest) greatest = value
    }
    boxes[axis * boxStride + cluster] = least
    boxes[(axis + 3) * boxStride + cluster] = greatest
  }
}

function writeBounds({ buffer }: WebAssembly.Memory, { boxes, boxStride }: SceneViews, clusters: number): void {
  const bounds = new Float32Array(buffer, at.SCENE_START + at.H_BOUNDS * 4, 6)
  if (clusters === 0) return
  for (let axis = 0; axis < 3; axis++) {
    let least = Infinity
    let greatest = -Infinity
    for (let cluster = 0; cluster < clusters; cluster++) {
      least = Math.min(least, boxes[axis * boxStride + cluster]!)
      greatest = Math.max(greatest, boxes[(axis + 3) * boxStride + cluster]!)
    }
    bounds[axis] = least
    bounds[axis + 3] = greatest
  }
}

function writeTexture({ bytes }: SceneViews, texture: Texture, start: number): void {
  const texels = start + at.LEVEL_TABLE_BYTES
  bytes.set(new Uint8Array(levelTable(texture.width, texture.height, texels).buffer), start)
  writeMipmaps(texture, bytes.subarray(texels))
}

function writeMaterial(
  { materials, materialWords }: SceneViews,
  i: number,
  { color, opacity = 1, glow = 0, texture }: Material,
  textures: ReadonlyMap<Texture, number>,
): void {
  const base = (i * at.MATERIAL_BYTES) / 4
  for (const [c, value] of color.entries()) {
    materials[base + at.M_COLOR / 4 + c] = value / 255
    materials[base + at.M_LINEAR / 4 + c] = srgbToLinear(value / 255)
  }
  materials[base + at.M_OPACITY / 4] = opacity
  materials[base + at.M_GLOW / 4] = glow
  const start = texture && textures.get(texture)
  if (texture === undefined || start === undefined) return
  materialWords[base + at.M_LEVELS / 4] = start
  materialWords[base + at.M_TEXTURE / 4] = start + at.LEVEL_TABLE_BYTES
  materialWords[base + at.M_TEXTURE_WIDTH / 4] = texture.width
  materialWords[base + at.M_TEXTURE_HEIGHT / 4] = texture.height
  materialWords[base + at.M_TEXTURE_LEVELS / 4] = mipLevels(texture.width, texture.height)
}
