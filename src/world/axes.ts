/** Both ways along x, y and z. */
export const AXES: readonly (readonly [x: number, y: number, z: number])[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
]
