/**
 * Tracks which cells have been in view. A view clears its cone in every room that the viewer can see into.
 */
import { aheadOf, rightOf } from '../grid/relations.ts'
import type { Scene, Vec } from '../grid/scene.ts'
import { cellsOfRoom, roomIds } from '../grid/view.ts'
import type { View } from './views.ts'

interface RoomFog {
  room: number
  cells: readonly Vec[]
  /** 1 while the cell at the same index has not been in view. */
  hidden: Uint8Array
  hiddenCount: number
  visited: boolean
}

export class Fog {
  readonly #rooms: ReadonlyMap<number, RoomFog>

  constructor(scene: Scene) {
    this.#rooms = new Map(
      roomIds(scene).map((room) => {
        const cells = cellsOfRoom(scene, room)
        const hidden = new Uint8Array(cells.length).fill(1)
        return [room, { room, cells, hidden, hiddenCount: cells.length, visited: false }]
      }),
    )
  }

  observe({ pose }: View): void {
    for (const room of pose.rooms) {
      const fog = this.#rooms.get(room)
      if (fog === undefined || fog.hiddenCount === 0) continue
      fog.visited = true
      for (let i = 0; i < fog.cells.length; i++) {
        if (fog.hidden[i] === 0) continue
        const cell = fog.cells[i]!
        const dx = cell[0] - pose.pos[0]
        const dy = cell[1] - pose.pos[1]
        // Within 45° of straight ahead; the viewer's own cell has both at 0.
        if (Math.abs(rightOf(pose.heading, dx, dy)) > aheadOf(pose.heading, dx, dy)) continue
        fog.hidden[i] = 0
        fog.hiddenCount -= 1
      }
    }
  }

  /** Rooms seen at least once, ascending. */
  visitedRooms(): number[] {
    return [...this.#rooms.values()].filter(({ visited }) => visited).map(({ room }) => room)
  }

  unexplored(room: number): Vec[] {
    const fog = this.#rooms.get(room)
    return fog === undefined ? [] : fog.cells.filter((_, i) => fog.hidden[i] === 1)
  }

  explored(room: number): Vec[] {
    const fog = this.#rooms.get(room)
    return fog === undefined ? [] : fog.cells.filter((_, i) => fog.hidden[i] === 0)
  }

  rooms(): number[] {
    return [...this.#rooms.keys()]
  }
}
