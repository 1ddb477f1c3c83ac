/** Draws clusters from near to far and leaves out those that are hidden. */
import * as at from '../../src/world/render/layout'
import { findVisible, sortByDepth } from './cull'
import * as frame from './frame'
import { findLive, isHidden, liveEverywhere, openTiles } from './occlusion'
import { drawTriangles } from './triangles'
import { transformVertices } from './vertices'

export function drawClusters(first: i32, last: i32): void {
  const count = findVisible(first, last)
  sortByDepth(count)
  if (frame.behind == 0) openTiles()
  const order = <usize>frame.word(at.F_ORDER)
  const end = order + <usize>count * at.ON_SCREEN_BYTES
  for (let next = order; next < end; next += at.ON_SCREEN_BYTES) drawCluster(next)
}

function drawCluster(onScreen: usize): void {
  const word = load<u32>(onScreen)
  const mayHide = frame.behind == 0 && (word & at.REACHES_NEAR) == 0
  if (mayHide && isHidden(onScreen)) return
  const cluster = word & at.CLUSTER_NUMBER
  const clipping = (word & at.NEEDS_CLIPPING) != 0
  const counts = frame.block(at.H_AT_CLUSTER_COUNTS) + ((<usize>cluster) << 1)
  const first = load<u32>(frame.block(at.H_AT_CLUSTER_VERTEX) + ((<usize>cluster) << 2))
  transformVertices(first, load<u8>(counts), clipping)
  if (!mayHide) liveEverywhere()
  else if (!findLive(clipping ? onScreen : frame.scratch + at.S_ON_SCREEN)) return
  drawTriangles(cluster, load<u8>(counts, 1), clipping)
}
