/** Triangles, as they come out of a file or a generator and go into the renderer. Meters, z up, right-handed. */

export interface TriangleMesh {
  /** x, y, z of each vertex. */
  positions: Float32Array
  /** Three vertex numbers per triangle. Both sides of a triangle are visible. */
  indices: Uint32Array
  /** sRGB r, g, b, 0…255, of each vertex: what a scan captured. */
  colors?: Uint8Array
  /** Unit normals of each vertex, for lighting. */
  normals?: Float32Array
  /** u, v of each vertex; v runs down, as in the picture's rows. */
  uvs?: Float32Array
  /** Light that reaches each vertex, linear r, g, b, baked once per scene. Where absent the mesh is drawn unlit. */
  light?: Float32Array
  /** For each triangle, its place in `materials`. All 0 where absent. */
  triangleMaterials?: Uint16Array
  /** For each triangle, the number of the thing it belongs to; 0 is nothing in particular. */
  triangleInstances?: Uint16Array
  materials: readonly Material[]
}

export interface Material {
  name: string
  /** sRGB r, g, b, 0…255; multiplied with texture and vertex color. */
  color: readonly [number, number, number]
  texture?: Texture
  /** 0 is a mirror-like highlight, 1 is matt. Only for lit meshes. */
  roughness?: number
  metallic?: number
  /** Light the surface gives off by itself, 0…1 of its color (lamps, screens). */
  glow?: number
  /** 1 is solid. Glass is below 1 and is blended over what is behind it. */
  opacity?: number
}

/** sRGB r, g, b, a, 0…255, rows from top to bottom. Its pixels must not change once a scene with it was prepared. */
export interface Texture {
  width: number
  height: number
  rgba: Uint8Array
}

/** A box that may be turned about the vertical: how objects are known to questions. */
export interface OrientedBox {
  center: readonly [number, number, number]
  /** Full lengths along its own x, y and z. */
  size: readonly [number, number, number]
  /** Degrees counterclockwise about +z, seen from above. */
  yaw: number
}

/** A thing in a scene. Its triangles carry `instance` in `triangleInstances`. */
export interface SceneObject {
  instance: number
  category: string
  box: OrientedBox
  /** Degrees counterclockwise from +x of the direction its front faces; null for things without a front. */
  facing: number | null
  /** What it stands on or hangs from: another object's instance, or a part of the room. */
  support: number | 'floor' | 'wall' | 'ceiling'
  room: number
  /** Things that are part of its triangles and that a person would count: category → how many (books in a shelf). */
  contains?: Readonly<Record<string, number>>
}
