/** From retrievals to numbers. What needs meshes is measured for built-in objects, which follow from their seeds. */
import { DataFiles, type ScoreContext, type Scores } from '../../../../suite.ts'
import { dot, readUrdf, type Robot, unit, type Vec3 } from '../../../../world.ts'
import { kindOf } from '../../domain/assembly/parts.ts'
import { builtinModel } from '../../domain/objects/find.ts'
import { type ArticulatedModel, trueRobot } from '../../domain/objects/model.ts'
import { partFrames, partOfLink } from '../../domain/objects/pose.ts'
import type { LoopOutcome } from '../../domain/outcome.ts'
import type { Profile } from '../../domain/profile.ts'
import { evaluate, movingJoints } from '../../measure/evaluate.ts'
import { chamfer, pointsOf } from '../../measure/field.ts'
import { TOLERANCES } from '../../measure/joint.ts'
import { plausibilityCritique } from '../../measure/plausible.ts'
import { plannedModel } from './meshes.ts'
import type { RetrieveOptions } from './options.ts'
import type { RetrieveOutcome } from './outcome.ts'
import type { Candidate, RetrieveSample } from './sample.ts'

const bit = (value: boolean): number => (value ? 1 : 0)

/** The object, if it is built in. */
function builtin({ object }: Candidate): ArticulatedModel | null {
  return 'folder' in object ? null : builtinModel(object)
}

const isSame = (a: Candidate, b: Candidate): boolean => JSON.stringify(a.object) === JSON.stringify(b.object)

export async function scoreRetrieve(
  sample: RetrieveSample,
  outcome: RetrieveOutcome,
  { profile, options }: ScoreContext<RetrieveOptions, Profile>,
): Promise<Scores> {
  return sample.input === 'text' ? fromWords(sample, outcome, options) : fromPictures(sample, outcome, options, profile)
}

/** Mean distance between the surfaces of two objects at rest, in meters. */
function distanceOf(a: ArticulatedModel, b: ArticulatedModel): number {
  const points = (model: ArticulatedModel): Float64Array => pointsOf(model, partFrames(trueRobot(model)))
  return chamfer(points(a), points(b))
}

const kindsOf = ({ parts }: ArticulatedModel): string[] => parts.map(({ name }) => kindOf(name)).sort()

function fromPictures(
  sample: RetrieveSample,
  { category, chosen, affordance, made }: RetrieveOutcome,
  options: RetrieveOptions,
  profile: Profile,
): Scores {
  const { target, pool, part, input } = sample
  const found = chosen === null ? null : pool[chosen]!
  const isInstance = found !== null && isSame(found, target)
  const [wanted, got] = [builtin(target), found && builtin(found)]
  const scores: Record<string, number> = { category: bit(category === target.category) }
  if (!options.holdout) scores['instance'] = bit(isInstance)
  let isRight = isInstance
  if (wanted) {
    const own = pool.filter((candidate) => candidate.category === target.category).map((each) => builtin(each)!)
    const least = Math.min(...own.map((model) => distanceOf(wanted, model)))
    const distance = got ? distanceOf(wanted, got) : null
    scores['closest'] = bit(distance !== null && distance <= least + 1e-9)
    scores['same-parts'] = bit(got !== null && kindsOf(got).join() === kindsOf(wanted).join())
    if (distance !== null) scores['distance'] = distance
    if (options.holdout) isRight = scores['closest'] === 1
  }
  if (input === 'video' && options.stages !== 'retrieve') {
    const isMoving = affordance !== null && (isInstance ? affordance === part : kindOf(affordance) === kindOf(part!))
    scores['affordance'] = bit(isMoving)
    isRight &&= isMoving
  }
  if (options.stages === 'make') {
    const result = madeOf(made, wanted, got, { part, affordance, profile })
    Object.assign(scores, result.scores)
    isRight &&= result.isRight
  }
  return { success: bit(isRight), ...scores }
}

function bestRobot(loop: LoopOutcome | null | undefined): Robot | null {
  const best = loop?.iterations.find(({ iteration }) => iteration === loop.best)
  return typeof best?.urdf === 'string' ? readUrdf(best.urdf).robot : null
}

/** The retrieved object's parts in place, and the joint of its moving part like that of the target. */
function madeOf(
  made: RetrieveOutcome['made'],
  wanted: ArticulatedModel | null,
  got: ArticulatedModel | null,
  { part, affordance, profile }: { part: string | null; affordance: string | null; profile: Profile },
): { scores: Scores; isRight: boolean } {
  if (!wanted) return { scores: {}, isRight: true }
  const placed = bestRobot(made?.place)
  const isPlaced = placed !== null && got !== null && evaluate(got, placed, profile).placed
  if (part === null) return { scores: { 'made.placed': bit(isPlaced) }, isRight: isPlaced }
  const robot = bestRobot(made?.joint)
  const joint = robot && movingJoints(robot).find(({ child }) => partOfLink(robot, child) === affordance)
  const truth = wanted.joints.find(({ child }) => child === part)!
  const isType = joint?.type === truth.type
  const isAxis = isType && axisAngle(joint.axis, truth.axis) <= TOLERANCES.axis
  return {
    scores: { 'made.placed': bit(isPlaced), 'made.type': bit(isType), 'made.axis': bit(isAxis) },
    isRight: isPlaced && isAxis,
  }
}

/** Radians between two axes, whichever way they point. */
function axisAngle(a: Vec3, b: Vec3): number {
  return Math.acos(Math.min(1, Math.abs(dot(unit(a), unit(b)))))
}

async function fromWords(
  { target, pool, kinds }: RetrieveSample,
  { plan, made }: RetrieveOutcome,
  { stages }: RetrieveOptions,
): Promise<Scores> {
  const model = builtin(target)
  const wanted = kinds ?? (model && kindsOf(model))
  const meshes = (plan ?? []).flatMap(({ mesh }) => (mesh ? [`${mesh.category}/${mesh.kind}`] : []))
  const dropped = plan && plan.length > 0 ? 1 - meshes.length / plan.length : 0
  const scores: Record<string, number> = { dropped }
  if (!wanted) return scores
  const left = wanted.map((kind) => `${target.category}/${kind}`)
  const total = left.length + meshes.length
  let hits = 0
  for (const mesh of meshes) {
    const at = left.indexOf(mesh)
    if (at < 0) continue
    left.splice(at, 1)
    hits += 1
  }
  scores['plan'] = (2 * hits) / total
  scores['category'] = bit(meshes.length > 0 && meshes.every((mesh) => mesh.startsWith(`${target.category}/`)))
  let isRight = scores['plan'] === 1
  if (stages === 'make') {
    const urdf = made?.urdf ?? null
    scores['made.runs'] = bit(urdf !== null)
    if (model) {
      const planned = urdf === null || !plan ? null : await plannedModel(plan, pool, new DataFiles())
      const rating = planned ? plausibilityCritique(readUrdf(urdf!).robot, planned).feedback_score : 0
      scores['made.plausible'] = Math.max(0, rating / 10)
    }
    isRight &&= urdf !== null
  }
  return { success: bit(isRight), ...scores }
}
