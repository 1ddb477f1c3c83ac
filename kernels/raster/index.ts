/**
 * The rasteriser. Draws the scene in memory into the frame at an address; allocates nothing, keeps nothing.
 * What it must draw, bit by bit, is written down in test/support/world/render/reference.
 */
import * as at from '../../src/world/render/layout'
import { drawClusters } from './clusters'
import * as frame from './frame'
import { clearGlass, clearSolid, writeColor, writeDepth, writeHalvedColor, writeIds, writeTriangles } from './output'
import { shadeGlass, shadeSolid } from './shade'
import { shadeGlassSmoothly, shadeSolidSmoothly } from './smooth'

export function draw(address: usize): void {
  frame.loadFrame(address)
  const wanted = frame.word(at.F_WANTED)
  const solid = frame.header(at.H_SOLID_CLUSTERS)
  const clusters = frame.header(at.H_CLUSTERS)
  clearSolid()
  drawClusters(0, solid)
  const depth = (wanted & at.WANT_DEPTH) != 0
  const ids = (wanted & at.WANT_IDS) != 0
  const halve = (wanted & at.WANT_HALVE) != 0
  if (wanted & at.WANT_TRIANGLES) writeTriangles()
  if ((wanted & at.WANT_COLOR) == 0) {
    if (depth) writeDepth()
    if (ids) writeIds()
    return
  }
  const alpha = (wanted & at.WANT_ALPHA) != 0
  const rgb = solid == clusters && !halve && !alpha
  if (halve) shadeSolidSmoothly()
  else shadeSolid(ids, depth, rgb)
  if (solid < clusters) {
    frame.drawGlass()
    clearGlass()
    for (let layer = 0; layer < at.MAX_GLASS_LAYERS; layer++) {
      drawClusters(solid, clusters)
      if (!(halve ? shadeGlassSmoothly() : shadeGlass())) break
    }
  }
  if (halve) writeHalvedColor(alpha ? 4 : 3)
  else if (!rgb && !alpha) writeColor()
}
