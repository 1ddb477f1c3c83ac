/** The egocentric bins of the published code: by angle, with open edges. Runs use `egoBinOfCells` instead. */
const EPSILON = 1e-3
const EDGES = [-45 - EPSILON, -22.5 - EPSILON, -EPSILON, EPSILON, 22.5 + EPSILON, 45 + EPSILON] as const
const LAST = 6

/** Id of the bin. A bearing on an open edge (-45.001, -180 …) falls through to the last bin. */
export function egoBin(bearing: number): number {
  if (!(bearing > -180 && bearing < 180 + EPSILON)) return LAST
  for (const [id, edge] of EDGES.entries()) {
    if (bearing < edge) return id
    if (bearing === edge) return LAST
  }
  return LAST
}
