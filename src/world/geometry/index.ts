export { type Bounds, boundsOf, percentile, percentileBounds } from './bounds.ts'
export {
  boxCorners,
  boxesOverlap,
  closestInBox,
  closestOfBoxes,
  pointInBox,
  type TurnedBox,
  turnedBox,
} from './boxes.ts'
export { closestOfPoints, instanceTree, type RayHit, TriangleTree } from './bvh.ts'
export { floorArea, type FloorAreaOptions, floorHeight } from './floor.ts'
export { freeSpace, type FreeSpace, type FreeSpaceOptions } from './free-space.ts'
export { cellAt, cellCenter, distanceField, type Grid, gridOver } from './grid.ts'
export { NavMesh, navMesh, type NavPolygon, type Portal } from './nav-mesh.ts'
export { type FloorPath, nearestWalkable, shortestPath, straightIsFree, walkFrom } from './paths.ts'
export { freePlace, type Regions, regionsOf } from './regions.ts'
export type { ClosestPoints } from './segments.ts'
export { boxInPicture, pixelCounts, projectPoints, type SeenThing, seenThings } from './visible.ts'
