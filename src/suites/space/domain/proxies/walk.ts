/**
 * Shared by all proxy agents: a depth-first walk through the rooms. Moves are buffered until the next Observe completes
 * the turn. What happens in a room is up to the agent (`ROOM_PLANS` in run.ts).
 */
import { type ActionCounts, act, type ExplorationState, startExploration, type Turn } from '../explore/exploration.ts'
import { type Action, actionText, type Final, type Motion } from '../../parse/actions.ts'
import { Progress } from '../explore/progress.ts'
import { closestHeading, headingIndex, rotateHeading } from '../grid/relations.ts'
import type { Door, Entity, Pose, Scene, Vec } from '../grid/scene.ts'
import { entitiesOf, entityNamed, poseAt, roomIds, roomsOf, START } from '../grid/view.ts'
import { turnLine } from '../explore/exploration.ts'
import type { Profile } from '../profile.ts'

export interface ProxyTurn {
  actions: string[]
  pos: Vec
  heading: Vec
}

/** An unordered pair of names. */
export function edge(a: string, b: string): string {
  return a < b ? `${a}|${b}` : `${b}|${a}`
}

/** Effectively unlimited: proxies stop when they know enough. */
const MAX_STEPS = 1_000_000

export class Walk {
  readonly scene: Scene
  readonly profile: Profile
  readonly progress: Progress
  readonly turns: ProxyTurn[] = []
  readonly lines: string[] = []
  /** The turns with an Observe, with their views. */
  readonly views: Turn[] = []
  /** Information level after each logged turn. */
  readonly levels: number[] = []
  /** Objects and doors of each room, by name. */
  readonly nodes: ReadonlyMap<number, readonly string[]>
  /** The room being explored; a doorway alone would be ambiguous. */
  room: number
  /** The door through which the room was entered; undefined in the first room. */
  entryDoor: string | undefined
  readonly #known: Map<number, Set<string>>
  readonly #knownEdges: Map<number, Set<string>>
  readonly #edges: ReadonlyMap<number, ReadonlySet<string>>
  #state: ExplorationState
  #pose: Pose
  #pending: Motion[] = []
  /** All moves, including those without a following Observe. */
  #counts = { move: 0, rotate: 0 }

  constructor(scene: Scene, profile: Profile) {
    this.scene = scene
    this.profile = profile
    this.progress = new Progress(scene, profile)
    this.#state = startExploration(scene, { profile, maxSteps: MAX_STEPS })
    this.#pose = this.#state.pose
    this.room = scene.start.room
    this.nodes = new Map(
      roomIds(scene).map((room) => {
        const inside = entitiesOf(scene).filter((entity) => roomsOf(entity).includes(room))
        return [room, inside.map(({ name }) => name).sort()]
      }),
    )
    this.#known = new Map([...this.nodes.keys()].map((room) => [room, new Set()]))
    this.#knownEdges = new Map([...this.nodes.keys()].map((room) => [room, new Set()]))
    this.#edges = new Map(
      [...this.nodes].map(([room, names]) => {
        const pairs = new Set<string>()
        const all = room === scene.start.room ? [...names, START] : names
        for (const [i, a] of all.entries()) for (const b of all.slice(i + 1)) pairs.add(edge(a, b))
        return [room, pairs]
      }),
    )
  }

  get pose(): Pose {
    return this.#pose
  }

  get observed(): ReadonlySet<string> {
    return this.#state.observed
  }

  get cost(): number {
    return this.#state.cost
  }

  get counts(): ActionCounts {
    return { ...this.#state.counts, ...this.#counts }
  }

  /** Name of the entry position of the current room. */
  get entryAnchor(): string {
    return this.entryDoor ?? START
  }

  roomNodes(): readonly string[] {
    return this.nodes.get(this.room) ?? []
  }

  unknownNodes(): string[] {
    return this.roomNodes().filter((name) => !this.#known.get(this.room)!.has(name))
  }

  /** Has every object and door been seen while exploring one of its rooms? */
  allKnown(): boolean {
    return entitiesOf(this.scene).every((entity) =>
      roomsOf(entity).some((room) => this.#known.get(room)?.has(entity.name)),
    )
  }

  edgeUnknown(a: string, b: string): boolean {
    const pair = edge(a, b)
    return this.#edges.get(this.room)!.has(pair) && !this.#knownEdges.get(this.room)!.has(pair)
  }

  allEdgesKnown(): boolean {
    const known = this.#knownEdges.get(this.room)!
    return [...this.#edges.get(this.room)!].every((pair) => known.has(pair))
  }

  /** Turns the shorter way, as one action. */
  rotateTo(heading: Vec): void {
    const quarters = (headingIndex(heading) - headingIndex(this.#pose.heading) + 4) % 4
    this.rotateBy(quarters * 90)
  }

  rotateBy(degrees: number): void {
    const turn = degrees > 180 ? degrees - 360 : degrees
    if (turn === 0) return
    this.#pending.push({ kind: 'rotate', degrees: turn })
    this.#counts.rotate += 1
    this.#pose = { ...this.#pose, heading: rotateHeading(this.#pose.heading, turn) }
  }

  /** Turns to the heading closest to an entity and jumps there. */
  jumpTo(entity: Entity): void {
    const { pos } = this.#pose
    if (pos[0] === entity.pos[0] && pos[1] === entity.pos[1]) return
    this.rotateTo(closestHeading(entity.pos[0] - pos[0], entity.pos[1] - pos[1]))
    this.#pending.push({ kind: 'jump', name: entity.name })
    this.#counts.move += 1
    this.#pose = poseAt(this.scene, entity, this.#pose.heading)
  }

  entity(name: string): Entity {
    const entity = entityNamed(this.scene, name)
    if (entity === undefined) throw new Error(`Unknown entity: ${name}`)
    return entity
  }

  /** Observes; edges from `anchor`, the current position, become known. */
  observe(anchor: string): Turn {
    const turn = this.#finish({ kind: 'observe' })
    this.views.push(turn)
    this.levels.push(this.progress.level)
    const known = this.#known.get(this.room)!
    const edges = this.#knownEdges.get(this.room)!
    for (const { name } of turn.view?.visible ?? []) {
      known.add(name)
      if (name !== anchor) edges.add(edge(anchor, name))
    }
    return turn
  }

  query(name: string): void {
    this.#finish({ kind: 'query', name })
    this.levels.push(this.progress.level)
  }

  /** Ends the walk and drops pending moves. */
  end(): void {
    this.#pending = []
    this.#finish({ kind: 'term' })
  }

  #finish(final: Final): Turn {
    const motions = this.#pending
    this.#pending = []
    const { state, turn } = act(this.#state, { motions, final })
    if (turn.failed) throw new Error(`A proxy agent made an illegal move: ${turn.message}`)
    this.#state = state
    this.progress.record(turn)
    const actions = turn.executed.map(({ action }: { action: Action }) => actionText(action))
    this.turns.push({ actions, pos: this.#pose.pos, heading: this.#pose.heading })
    this.lines.push(turnLine(this.turns.length, turn.executed))
    return turn
  }

  /** Goes to the door between two rooms and faces the next one. */
  #goThrough(next: number): void {
    const door = this.scene.doors.find(({ rooms }) => rooms.includes(this.room) && rooms.includes(next))
    if (door === undefined) throw new Error(`No door connects rooms ${this.room} and ${next}.`)
    this.jumpTo(door)
    this.rotateTo(intoRoom(door, next))
    this.entryDoor = door.name
    this.room = next
    this.#known.get(next)!.add(door.name)
  }

  /** Explores the rooms depth first, lower numbers first, until everything is known. */
  visitRooms(explore: () => void): void {
    const visited = new Set<number>()
    const visit = (room: number): void => {
      visited.add(room)
      explore()
      if (this.allKnown()) return
      for (const next of this.#neighbors(room)) {
        if (visited.has(next)) continue
        this.#goThrough(next)
        visit(next)
        if (this.allKnown()) return
        this.#goThrough(room)
      }
    }
    visit(this.room)
  }

  #neighbors(room: number): number[] {
    const next = new Set<number>()
    for (const { rooms } of this.scene.doors) {
      if (rooms[0] === room) next.add(rooms[1])
      if (rooms[1] === room) next.add(rooms[0])
    }
    return [...next].sort((a, b) => a - b)
  }
}

function intoRoom(door: Door, room: number): Vec {
  const from = door.rooms[0] === room ? door.normals[1] : door.normals[0]
  return [-from[0] + 0, -from[1] + 0]
}
