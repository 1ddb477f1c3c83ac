/** The shortest way through a row of doors. */
type Point = readonly [number, number]

export interface Door {
  left: Point
  right: Point
}

/** Pulls a string tight from start to goal through doors that are crossed in order (the funnel algorithm). */
export function pullString(start: Point, doors: readonly Door[], goal: Point): Point[] {
  const points: Point[] = [start]
  const last: Door = { left: goal, right: goal }
  let apex = start
  let left = start
  let right = start
  let leftAt = -1
  let rightAt = -1
  for (let i = 0; i <= doors.length; i++) {
    const door = doors[i] ?? last
    if (turn(apex, right, door.right) >= 0) {
      if (same(apex, right) || turn(apex, left, door.right) < 0) {
        right = door.right
        rightAt = i
      } else {
        // The right side crosses the left: the way bends at the left, and the funnel starts anew there.
        i = restart(left, leftAt)
        continue
      }
    }
    if (turn(apex, left, door.left) <= 0) {
      if (same(apex, left) || turn(apex, right, door.left) > 0) {
        left = door.left
        leftAt = i
      } else i = restart(right, rightAt)
    }
  }
  add(goal)
  return points

  function restart(at: Point, door: number): number {
    add(at)
    apex = at
    left = at
    right = at
    leftAt = door
    rightAt = door
    return door
  }

  function add(point: Point): void {
    if (!same(points.at(-1)!, point)) points.push(point)
  }
}

/** Positive when c lies to the left of the way from a to b. */
function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

function same(a: Point, b: Point): boolean {
  return a[0] === b[0] && a[1] === b[1]
}
