/**
 * The exploration environment as a state machine: `step(state, reply)` returns the next state and the turn. States are
 * immutable, so a conversation can be forked or replayed from any of them. Coverage, fog and information are tracked
 * separately, from `Turn.view` (see progress.ts).
 */
import { headingName, rotateHeading } from '../grid/relations.ts'
import type { Entity, Pose, Scene } from '../grid/scene.ts'
import { entitiesOf, entityNamed, isVisible, poseAt, START, startPose, observationText } from '../grid/view.ts'
import type { Profile } from '../profile.ts'
import { explorationFooter, falseBeliefPrompt, IMAGE, promptWith } from '../../prompts/prompts.ts'
import { answerOf } from '../../parse/reply.ts'
import {
  type Action,
  type ActionError,
  type ActionList,
  actionText,
  type Final,
  type Motion,
  parseActions,
  type Phase,
} from '../../parse/actions.ts'
import { takeView, type View } from './views.ts'

export const DEFAULT_EXPLORATION_STEPS = 20
export const DEFAULT_REVISION_STEPS = 15
export const OBSERVE_COST = 1
export const QUERY_COST = 2
const ALLOWED_ROTATIONS = [0, 90, 180, 270, -90, -180, -270]

/** Successful actions since the start of the episode. `observe` includes automatic ones. */
export interface ActionCounts {
  move: number
  rotate: number
  observe: number
  query: number
  term: number
  forcedTerm: number
  /** Observes that the environment made after a failed move. */
  automaticObserve: number
}

export interface ExplorationState {
  scene: Scene
  profile: Profile
  /** Does an Observe show an image instead of text? */
  images: boolean
  phase: Phase
  pose: Pose
  /** Names of everything seen so far. */
  observed: ReadonlySet<string>
  /** Names in the last view. */
  lastVisible: readonly string[]
  /** Replies left. Below 0 the phase is over. */
  remaining: number
  /** Cost of the whole episode, and before the current phase. */
  cost: number
  costBeforePhase: number
  counts: ActionCounts
  /** Turns with a valid action list, including the one that ended a phase. */
  validTurns: number
  turns: number
  done: boolean
  footer: string
}

export interface Turn {
  phase: Phase
  /** The user message in response to the reply. */
  message: string
  done: boolean
  /** Was the action list valid? */
  valid: boolean
  /** Why the action list was invalid. */
  error: ActionError | undefined
  /** Did a valid action fail? */
  failed: boolean
  /** Executed actions with their texts, failed ones included. */
  executed: readonly ExecutedAction[]
  view: View | undefined
  /** Was the Observe made by the environment, after a failed move? */
  automatic: boolean
  /** Result of a successful Query: name and position relative to the start. */
  located: { name: string; offset: readonly [number, number] } | undefined
  /** How the phase ended. */
  ended: 'term' | 'budget' | undefined
  /** The text of `Term(changes="…")`. */
  changes: string | undefined
  cost: number
}

export interface ExplorationOptions {
  profile: Profile
  maxSteps?: number
  /** Does the format reminder ask for reasoning? Default true. */
  think?: boolean
  /** Does an Observe show an image instead of text? Default false. */
  images?: boolean
}

export function startExploration(scene: Scene, options: ExplorationOptions): ExplorationState {
  return {
    scene,
    profile: options.profile,
    images: options.images ?? false,
    phase: 'exploration',
    pose: startPose(scene),
    observed: new Set(),
    lastVisible: [],
    remaining: options.maxSteps ?? DEFAULT_EXPLORATION_STEPS,
    cost: 0,
    costBeforePhase: 0,
    counts: { move: 0, rotate: 0, observe: 0, query: 0, term: 0, forcedTerm: 0, automaticObserve: 0 },
    validTurns: 0,
    turns: 0,
    done: false,
    footer: explorationFooter(options.think ?? true, options.profile),
  }
}

/**
 * Starts the revision phase: the scene has changed, the player is back at the start and keeps its observed names. The
 * published environment also keeps `lastVisible` and credits it in the first turn without an Observe; `fixed` does not.
 */
export function startRevision(
  state: ExplorationState,
  changed: Scene,
  options: { changes: number; maxSteps?: number; think?: boolean },
): { state: ExplorationState; message: string } {
  const maxSteps = options.maxSteps ?? DEFAULT_REVISION_STEPS
  const next: ExplorationState = {
    ...state,
    scene: changed,
    phase: 'false-belief',
    pose: startPose(changed),
    lastVisible: state.profile === 'upstream' ? state.lastVisible : [],
    remaining: maxSteps,
    costBeforePhase: state.cost,
    done: false,
  }
  const message = falseBeliefPrompt(options.changes, maxSteps, options.think ?? true, state.profile)
  return { state: next, message }
}

export interface StepResult {
  state: ExplorationState
  turn: Turn
}

/** Applies one reply of the player. */
export function step(state: ExplorationState, reply: string): StepResult {
  const next = nextState(state)
  const parsed = parseActions(answerOf(reply, state.profile), state.phase, state.profile)
  if (next.remaining < 0) {
    // The published environment discards replies after the last step; `fixed` still accepts a final submission.
    const submits = state.profile === 'fixed' && parsed.ok && parsed.actions.final.kind === 'term'
    if (!submits) return forcedEnd(next)
  }
  return parsed.ok ? execute(next, parsed.actions) : invalid(next, parsed.error)
}

/**
 * Applies an action list directly, for callers that have no text reply. Uses up a step like `step`.
 */
export function act(state: ExplorationState, actions: ActionList): StepResult {
  return execute(nextState(state), actions)
}

/** A copy for the next turn with one step less. The functions below mutate only this copy. */
function nextState(state: ExplorationState): ExplorationState {
  if (state.done) throw new Error('The phase has ended. Start another one before the next step.')
  const { move: moves, rotate, observe: looks, query: queries, term, forcedTerm, automaticObserve } = state.counts
  // No spread: this runs at every step, and a spread is several times slower.
  return {
    scene: state.scene,
    profile: state.profile,
    images: state.images,
    phase: state.phase,
    pose: state.pose,
    observed: state.observed,
    lastVisible: state.lastVisible,
    remaining: state.remaining - 1,
    cost: state.cost,
    costBeforePhase: state.costBeforePhase,
    counts: { move: moves, rotate, observe: looks, query: queries, term, forcedTerm, automaticObserve },
    validTurns: state.validTurns,
    turns: state.turns + 1,
    done: false,
    footer: state.footer,
  }
}

function turnOf(state: ExplorationState, message: string): Turn {
  return {
    phase: state.phase,
    message,
    done: state.done,
    valid: true,
    error: undefined,
    failed: false,
    executed: NO_ACTIONS,
    view: undefined,
    automatic: false,
    located: undefined,
    ended: undefined,
    changes: undefined,
    cost: 0,
  }
}

const NO_ACTIONS: readonly ExecutedAction[] = []
const FINISHED = 'Task finished'

function forcedEnd(next: ExplorationState): StepResult {
  next.counts.forcedTerm += 1
  next.done = true
  next.validTurns += 1
  const turn = turnOf(next, FINISHED)
  turn.ended = 'budget'
  return { state: next, turn }
}

function invalid(next: ExplorationState, error: ActionError): StepResult {
  const place = error.at > 0 ? ` (at character ${error.at})` : ''
  const stepped =
    next.profile === 'upstream'
      ? { state: next, turn: turnOf(next, `Invalid action. ${error.problem}\n\n${next.footer}`) }
      : finishTurn(next, `Invalid action: ${error.problem}${place}.`)
  stepped.turn.valid = false
  stepped.turn.error = error
  return stepped
}

/** Appends the remaining steps and the format to a turn's text; in `fixed`, exploration ends with its last step. */
function finishTurn(next: ExplorationState, text: string): StepResult {
  const left = promptWith('steps-left', next.profile, { steps: next.remaining })
  if (next.profile === 'upstream' || next.remaining > 0) {
    return { state: next, turn: turnOf(next, `${text}\n${left}\n${next.footer}`) }
  }
  if (next.phase === 'false-belief') {
    const submit = 'Your next reply can only submit: Term(changes="...").'
    return { state: next, turn: turnOf(next, `${text}\n${left} ${submit}\n${next.footer}`) }
  }
  next.done = true
  const turn = turnOf(next, `${text}\n${left}`)
  turn.ended = 'budget'
  return { state: next, turn }
}

export interface ExecutedAction {
  action: Action
  text: string
  ok: boolean
}

function execute(next: ExplorationState, { motions, final }: ActionList): StepResult {
  const executed: ExecutedAction[] = []
  next.validTurns += 1
  for (const motion of motions) {
    const moved = move(next, motion)
    executed.push({ action: motion, text: moved.text, ok: moved.pose !== null })
    if (moved.pose === null) return observe(next, executed, true)
    if (motion.kind === 'jump') next.counts.move += 1
    else next.counts.rotate += 1
    next.pose = moved.pose
  }
  if (final.kind === 'observe') return observe(next, executed, false)
  if (final.kind === 'query') return query(next, executed, final)
  next.counts.term += 1
  next.done = true
  executed.push({ action: final, text: termText(final.changes), ok: true })
  const turn = turnOf(next, FINISHED)
  turn.executed = executed
  turn.ended = 'term'
  turn.changes = final.changes
  return { state: next, turn }
}

function termText(changes: string | undefined): string {
  return changes === undefined ? 'Exploration terminated.' : `Exploration terminated. Reported changes: ${changes}`
}

/** The entity that a player names. `fixed` ignores case and a leading "the". */
export function findTarget(scene: Scene, name: string, profile: Profile): Entity | undefined {
  const exact = entityNamed(scene, name)
  if (exact !== undefined || profile === 'upstream') return exact
  const wanted = name.toLowerCase().replace(/^the /, '')
  return entitiesOf(scene).find((entity) => entity.name.toLowerCase() === wanted)
}

/** Why a jump is illegal, or null if it is legal. The single rule for legal jumps. */
export function jumpProblem(pose: Pose, target: Entity | undefined, observed: ReadonlySet<string>): string | null {
  if (target === undefined) return 'object not found'
  if (!observed.has(target.name)) return 'object not observed yet'
  return isVisible(pose, target) ? null : 'object not visible'
}

function move(state: ExplorationState, motion: Motion): { pose: Pose | null; text: string } {
  const { pose } = state
  if (motion.kind === 'rotate') {
    const { degrees } = motion
    if (!ALLOWED_ROTATIONS.includes(degrees)) {
      return { pose: null, text: `Cannot rotate by ${degrees}°: only [${ALLOWED_ROTATIONS.join(', ')}] allowed.` }
    }
    return { pose: { ...pose, heading: rotateHeading(pose.heading, degrees) }, text: rotationText(degrees) }
  }
  const target = findTarget(state.scene, motion.name, state.profile)
  const problem = jumpProblem(pose, target, state.observed)
  if (problem !== null || target === undefined) {
    return { pose: null, text: `Cannot jump to '${motion.name}': ${problem}.` }
  }
  return { pose: poseAt(state.scene, target, pose.heading), text: `You jumped to ${target.name}.` }
}

function rotationText(degrees: number): string {
  if (degrees === 0) return 'You rotated 0°.'
  return `You rotated ${degrees > 0 ? 'clockwise' : 'counterclockwise'} ${Math.abs(degrees)}°.`
}

const AUTOMATIC_PREFIX = 'Subsequent actions are skipped due to failure, instead an observe is executed: '

function observe(next: ExplorationState, executed: ExecutedAction[], automatic: boolean): StepResult {
  const view = takeView(next.scene, next.pose)
  const text = next.images ? IMAGE_OBSERVATION : observationText(view.visible, next.pose, next.profile)
  // The published text of an image does not say that the environment took it.
  const silent = next.images && next.profile === 'upstream'
  executed.push({ action: OBSERVE, text: automatic && !silent ? AUTOMATIC_PREFIX + text : text, ok: true })
  next.observed = addNames(next.observed, view.visible)
  next.lastVisible = view.visible.map(({ name }) => name)
  next.cost += OBSERVE_COST
  next.counts.observe += 1
  if (automatic) next.counts.automaticObserve += 1
  const stepped = finishTurn(next, textOf(executed))
  const { turn } = stepped
  turn.executed = executed
  turn.view = view
  turn.automatic = automatic
  turn.failed = automatic
  turn.cost = OBSERVE_COST
  return stepped
}

const OBSERVE: Final = { kind: 'observe' }
/** The text of an Observe with an image. */
const IMAGE_OBSERVATION = `You observe: ${IMAGE}.`

/** Returns the same set if it already has all names. */
function addNames(observed: ReadonlySet<string>, seen: readonly Entity[]): ReadonlySet<string> {
  if (seen.every(({ name }) => observed.has(name))) return observed
  const more = new Set(observed)
  for (const { name } of seen) more.add(name)
  return more
}

function query(
  next: ExplorationState,
  executed: ExecutedAction[],
  final: Extract<Final, { kind: 'query' }>,
): StepResult {
  const { scene, profile } = next
  const target = final.name === START ? undefined : findTarget(scene, final.name, profile)
  const problem = final.name === START ? null : queryProblem(target, next.observed)
  if (problem !== null) {
    executed.push({ action: final, text: `Cannot query: ${problem}`, ok: false })
    const stepped = finishTurn(next, textOf(executed))
    stepped.turn.executed = executed
    stepped.turn.failed = true
    return stepped
  }
  const name = target?.name ?? START
  const pos = target?.pos ?? scene.start.pos
  const offset = [pos[0] - scene.start.pos[0], pos[1] - scene.start.pos[1]] as const
  const text = `You query ${name}: (${offset[0]}, ${offset[1]})${queriedFacing(target, profile)}`
  executed.push({ action: final, text, ok: true })
  next.cost += QUERY_COST
  next.counts.query += 1
  const stepped = finishTurn(next, textOf(executed))
  stepped.turn.executed = executed
  stepped.turn.located = { name, offset }
  stepped.turn.cost = QUERY_COST
  return stepped
}

function queryProblem(target: Entity | undefined, observed: ReadonlySet<string>): string | null {
  if (target === undefined) return 'object not found'
  return observed.has(target.name) ? null : 'object not observed yet'
}

/** The published Query also reports the placeholder facing of objects without a front; `fixed` does not. */
function queriedFacing(target: Entity | undefined, profile: Profile): string {
  if (target === undefined) return ', facing north'
  if (target.kind === 'door') {
    return profile === 'upstream' ? `, facing ${headingName(target.normals[1])}` : ''
  }
  return target.oriented || profile === 'upstream' ? `, facing ${headingName(target.heading)}` : ''
}

function textOf(executed: readonly ExecutedAction[]): string {
  let all = ''
  for (const { text } of executed) all = all === '' ? text : `${all} ${text}`
  return all
}

/** A turn in the log that passive players read: `3. Actions: [Rotate(90), Observe()]. You rotated … You observe: …` */
export function turnLine(number: number, executed: readonly ExecutedAction[]): string {
  return `${number}. Actions: [${executed.map(({ action }) => actionText(action)).join(', ')}]. ${textOf(executed)}`
}
