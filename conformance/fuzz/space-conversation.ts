/** Whole conversations: prompts, observations, moves, probes, questions and the revision phase. */
import type { Episode, Message } from '../../src/suite.ts'
import type { Random } from '../../src/base/random.ts'
import { drawFogProbe, fogRandom } from '../../src/suites/space/domain/belief/fog-probe.ts'
import {
  type ExplorationState,
  startExploration,
  startRevision,
  step,
  type Turn,
} from '../../src/suites/space/domain/explore/exploration.ts'
import { Progress } from '../../src/suites/space/domain/explore/progress.ts'
import { RevisionTracker } from '../../src/suites/space/domain/explore/revision-tracker.ts'
import type { Change, Scene } from '../../src/suites/space/domain/grid/scene.ts'
import type { Profile } from '../../src/suites/space/domain/profile.ts'
import { PROXY_NAMES, type ProxyName } from '../../src/suites/space/domain/proxies/run.ts'
import { type SpaceOptions, spaceOptions } from '../../src/suites/space/options.ts'
import { parseChanges } from '../../src/suites/space/parse/changes.ts'
import { play } from '../../src/suites/space/play.ts'
import type { ObservationRenderer } from '../../src/suites/space/play/renderer.ts'
import { generateQuestions } from '../../src/suites/space/samples/questions.ts'
import { scoreChanges } from '../../src/suites/space/score/changes.ts'
import { fuzzTarget } from './target.ts'
import { randomReply } from './space-replies.ts'
import { publishedChanges, randomRevision, randomScene, sceneOf, stateOf, THEORY_OF_SPACE } from './space-scenes.ts'

const MODES = {
  plain: 'default',
  'own-map': 'prompt_cogmap',
  'true-map': 'use_gt_cogmap',
  'last-map': 'use_model_cogmap',
}
type Evaluation = keyof typeof MODES

type Case = {
  state: ReturnType<typeof stateOf>
  revision: { room: ReturnType<typeof stateOf>['room']; changes: ReturnType<typeof publishedChanges> } | null
  options: {
    think: boolean
    vision: boolean
    proxy: ProxyName | null
    steps: number
    revisionSteps: number
    maps: boolean
    evaluation: string
  }
  explored: string[]
  revised: string[]
  fog: (readonly (readonly [number, number])[])[]
  questions: string[]
  map: string
}

const ID = 'fuzz'

function generate(random: Random): Case {
  const scene = randomScene(random)
  const proxy = random.chance(0.15) ? random.pick(PROXY_NAMES) : null
  const changed = proxy === null && random.chance(0.4) ? randomRevision(scene, random) : null
  const evaluation = random.pick(Object.keys(MODES) as Evaluation[])
  const options = {
    think: random.chance(0.6),
    vision: random.chance(0.3),
    proxy,
    steps: random.between(1, 7),
    revisionSteps: random.between(1, 5),
    maps: evaluation === 'last-map' || random.chance(0.5),
    evaluation: MODES[evaluation],
  }
  const explored: string[] = []
  const fog: Case['fog'] = []
  const progress = new Progress(scene, 'upstream')
  let state = startExploration(scene, { profile: 'upstream', maxSteps: options.steps })
  while (!state.done) {
    const reply = randomReply(random, state)
    const next = step(state, reply)
    state = next.state
    progress.record(next.turn)
    explored.push(reply)
    const probe = drawFogProbe(progress.fog, scene, state.pose, fogRandom(ID, explored.length), 'upstream')
    fog.push(probe?.candidates ?? [])
  }
  const revised: string[] = []
  if (changed !== null) {
    state = startRevision(state, changed.scene, { changes: 4, maxSteps: options.revisionSteps }).state
    while (!state.done) {
      const reply = randomReply(random, state)
      state = step(state, reply).state
      revised.push(reply)
    }
  }
  const questions = generateQuestions(scene, random.key, 1, 'upstream').map(({ text }) => text)
  return {
    state: stateOf(scene),
    revision: changed === null ? null : { room: stateOf(changed.scene).room, changes: publishedChanges(changed) },
    options,
    explored,
    revised,
    fog,
    questions: random.sample(questions, Math.min(2, questions.length)),
    map: '{"agent": {"position": [0, 0]}}',
  }
}

interface Asked {
  purpose: string
  messages: readonly Message[]
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '<image>')).join('')
}

const PICTURE = { sha256: '0'.repeat(64), type: 'image/png' as const, bytes: 0 }
const renderer: ObservationRenderer = {
  instructions: () => Promise.resolve([PICTURE, PICTURE]),
  observe: () => Promise.resolve({ image: PICTURE, hidden: [], frame: null }),
  fog: () => Promise.resolve(PICTURE),
}

/** Plays as a run would, with the replies of the case. */
async function asked(sample: Case, scene: Scene, changed: Scene | null, changes: Change[]): Promise<Asked[]> {
  const { think, vision, proxy, steps, revisionSteps, maps, evaluation } = sample.options
  const asks: Asked[] = []
  const replies = { exploration: [...sample.explored], 'false-belief': [...sample.revised] }
  const episode: Pick<Episode<Profile>, 'profile' | 'ask' | 'note'> = {
    profile: 'upstream',
    ask: (_role, messages, how) => {
      const purpose = how?.purpose ?? ''
      asks.push({ purpose, messages: structuredClone(messages) })
      const text = purpose === 'exploration' || purpose === 'false-belief' ? replies[purpose].shift()! : sample.map
      return Promise.resolve({ text } as Awaited<ReturnType<Episode['ask']>>)
    },
    note: () => {},
  }
  const options: SpaceOptions = spaceOptions.parse({
    think,
    steps,
    revisionSteps,
    maps: maps ? 'every' : 'none',
    evaluation: (Object.keys(MODES) as Evaluation[]).find((mode) => MODES[mode] === evaluation),
    revision: changed !== null,
    ...(proxy === null ? {} : { explore: 'passive', proxy }),
  })
  const questions = sample.questions.map((text, i) => ({
    ...generateQuestions(scene, 'any', 1, 'upstream', ['dir', 'e2a', 'pov'])[0]!,
    id: String(i),
    text,
  }))
  const revision = changed === null ? null : { scene: changed, changes }
  await play(
    { id: ID, cluster: ID, labels: {}, scene, questions, revision },
    episode as Episode<Profile>,
    options,
    vision ? () => renderer : undefined,
  )
  return asks
}

function published(state: ExplorationState, progress: Progress, turn: Turn | undefined, mixed: boolean) {
  const { pos, heading, rooms } = state.pose
  const { move, rotate, observe, query, term, forcedTerm } = state.counts
  const { solver, fog, coverage } = progress
  const probe = drawFogProbe(fog, state.scene, state.pose, fogRandom(ID, 1), 'upstream')
  return {
    pos,
    heading,
    rooms,
    nodes: coverage.nodeCoverage,
    edges: coverage.edgeCoverage,
    cost: state.cost,
    counts: [move, rotate, observe, query, term, forcedTerm],
    observed: [...state.observed].sort(),
    remaining: state.remaining,
    turns: state.validTurns,
    failed: turn?.failed ?? false,
    visible: state.lastVisible,
    unexplored: Object.fromEntries(
      fog.rooms().map((room) => [room, fog.unexplored(room).toSorted((a, b) => a[0] - b[0] || a[1] - b[1])]),
    ),
    probe: [probe?.candidates.length ?? 0, probe?.unexplored.length ?? 0],
    ...(!mixed && {
      information: progress.level,
      sizes: Object.fromEntries(coverage.nodes.map((name) => [name, solver.size(name) ?? solver.gridSize ** 2])),
    }),
  }
}

async function ours(sample: Case) {
  const scene = sceneOf(sample.state)
  const changed = sample.revision === null ? null : sceneOf({ ...sample.state, room: sample.revision.room })
  const changes = (sample.revision?.changes ?? []).map(({ name, pos }): Change => ({
    name,
    kind: pos ? 'position' : 'orientation',
  }))
  const asks = await asked(sample, scene, changed, changes)
  const { think, proxy, steps, vision, revisionSteps } = sample.options
  const progress = new Progress(scene, 'upstream')
  let state = startExploration(scene, { profile: 'upstream', maxSteps: steps, think, images: vision })
  const turns = []
  // A failed flag and a probe stay those of the last valid turn, which is the last that the published code logs.
  let logged: Turn | undefined
  let probe = [0, 0]
  for (const reply of proxy === null ? sample.explored : []) {
    const next = step(state, reply)
    state = next.state
    progress.record(next.turn)
    if (next.turn.valid) logged = next.turn
    const isLast = next.turn.done && changed !== null
    const seen = published(isLast ? reset(state, changed) : state, progress, logged, isLast)
    if (next.turn.valid) probe = published(state, progress, logged, true).probe
    turns.push({ message: next.turn.message, valid: next.turn.valid, ...seen, probe })
  }
  let opening: string | null = null
  const revision = []
  if (changed !== null) {
    const started = startRevision(state, changed, { changes: changes.length, maxSteps: revisionSteps, think })
    state = started.state
    opening = started.message
    if (turns.length > 0) turns[turns.length - 1]!.remaining = state.remaining
    progress.revise(changed)
    const tracker = new RevisionTracker(changes.map(({ name }) => name))
    for (const reply of sample.revised) {
      const next = step(state, reply)
      state = next.state
      progress.record(next.turn)
      if (next.turn.valid) logged = next.turn
      const newly = tracker.record(next.turn, state)
      if (next.turn.valid) probe = published(state, progress, logged, true).probe
      const scores = scoreChanges(parseChanges(next.turn.changes ?? '', scene.order, 'upstream'), changes)
      revision.push({
        message: next.turn.message,
        valid: next.turn.valid,
        ...published(state, progress, logged, true),
        probe,
        newly: [newly.changed, newly.unchanged],
        scores: state.done ? [scores.f1, scores.position, scores.orientation] : null,
        costs: state.done ? [state.cost - state.costBeforePhase, tracker.redundantCost(state) ?? null] : null,
      })
    }
  }
  const opened = asks[0]!.messages
  return {
    system: textOf(opened[0]!),
    // A passive player is asked nothing without a probe or a question after the log.
    first: proxy === null ? textOf(opened[1]!) : null,
    turns,
    opening,
    revision,
    probes: asks.flatMap(({ purpose, messages }) => {
      const kind = purpose === 'fog' ? 'fog_probe' : /^map (global|local)$/.exec(purpose)?.[1]
      return kind === undefined ? [] : [[kind, messages.length, textOf(messages.at(-1)!)]]
    }),
    questions: asks
      .filter(({ purpose }) => purpose.startsWith('question'))
      .map(({ messages }) => [messages.length, ...messages.slice(-3).map(textOf)]),
    revisionProbes: asks
      .filter(({ purpose }) => purpose === 'map global-false-belief')
      .map(({ messages }) => [messages.length, textOf(messages.at(-1)!)]),
  }
}

/** The published environment has moved the player back before its state can be read. */
function reset(state: ExplorationState, changed: Scene): ExplorationState {
  return { ...state, pose: startRevision(state, changed, { changes: 0 }).state.pose }
}

export const conversation = fuzzTarget<Case>({
  checkout: THEORY_OF_SPACE,
  driver: 'space/conversation.py',
  generate,
  ours,
  explained: ({ options }) =>
    options.proxy !== null && options.evaluation === MODES['last-map'] ? 'space-passive-last-map' : null,
})
