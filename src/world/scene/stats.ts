import { boundsOf, floorArea, freeSpace, navMesh } from '../geometry/index.ts'
import { roomArea } from '../rooms/blocks.ts'
import type { OpenedScene } from './open-scene.ts'

export interface SceneStats {
  triangles: number
  vertices: number
  /** Along x, y and z. */
  sizeMeters: [number, number, number]
  floorSquareMeters: number
  /** Where a body can stand. */
  freeSquareMeters: number
  /** Convex pieces of the navigation mesh, and the portals between them. */
  navPolygons: number
  navPortals: number
  /** What a scene takes in memory when it is ready to be drawn. */
  preparedBytes: number
  objects: { category: string; count: number }[]
}

/** What is in a scene, in numbers. */
export async function sceneStats(scene: OpenedScene): Promise<SceneStats> {
  const { prepared, objects, description } = scene
  const mesh = await scene.mesh()
  // All of it: the scene's own bounds leave the strays of a scan out.
  const bounds = boundsOf(mesh.positions)
  const space = freeSpace(mesh)
  const floor = navMesh(space)
  const walkable = space.walkable.reduce((sum, cell) => sum + cell, 0)
  const counts = new Map<string, number>()
  for (const { category } of objects ?? []) counts.set(category, (counts.get(category) ?? 0) + 1)
  return {
    triangles: mesh.indices.length / 3,
    vertices: mesh.positions.length / 3,
    sizeMeters: [0, 1, 2].map((axis) => bounds.max[axis]! - bounds.min[axis]!) as [number, number, number],
    // A built-in scene knows its rooms; a scan has to be measured.
    floorSquareMeters: description
      ? description.rooms.reduce((sum, room) => sum + roomArea(room), 0)
      : floorArea(mesh.positions),
    freeSquareMeters: walkable * space.grid.cell ** 2,
    navPolygons: floor.polygons.length,
    navPortals: floor.portals.length,
    preparedBytes: prepared.byteLength,
    objects: [...counts]
      .map(([category, count]) => ({ category, count }))
      .sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1)),
  }
}
