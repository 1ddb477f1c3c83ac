/** What samples ask, for the audit: the answers one could give without looking, and what each would score. */
import { type BlindTask, type Episode, textOf } from '../../suite.ts'
import { add, AXES, distance, lengthOf, scaled, subtract, type Vec3 } from '../../world.ts'
import { modelOf } from './domain/objects/find.ts'
import type { ArticulatedModel, ModelJoint, ModelPart } from './domain/objects/model.ts'
import type { Profile } from './domain/profile.ts'
import { jointDiff, jointVerdict } from './measure/joint.ts'
import { LINK_TOLERANCES } from './measure/link.ts'
import type { CriticOptions } from './options.ts'
import { faulty } from './parse/faulty.ts'
import { jointCriticMessages, linkCriticMessages } from './play/ask-critic.ts'
import { WHOLE } from './play/pictures/visible.ts'
import { buildPrompt, jointPrompt, placePrompt } from './prompts/prompts.ts'
import type { CriticSample, LoopSample, Task } from './samples/sample.ts'

export function auditLoop(task: Task) {
  return async (sample: LoopSample, { files }: Episode<Profile>): Promise<BlindTask[]> => {
    const model = await modelOf(sample.object, files)
    const moving = model.joints.filter(({ type }) => type !== 'fixed')
    if (task === 'joint') {
      const words = jointPrompt(model, sample.target ?? '', sample.view ?? WHOLE)
      return moving
        .filter(({ child }) => child === sample.target)
        .map((joint) => choice('success', words, jointsOf(model, joint)))
    }
    const words = task === 'place' ? placePrompt(model) : buildPrompt(model, movingParts(moving))
    const places = model.parts.map(({ name }) => choice('links', `${name}\n${words}`, placesOf(model, name)))
    if (task === 'place') return places
    return [...places, ...moving.map((joint) => choice('joints', `${joint.child}\n${words}`, jointsOf(model, joint)))]
  }
}

const movingParts = (joints: readonly ModelJoint[]): string[] => joints.map(({ child }) => child)

export async function auditCritic(
  sample: CriticSample,
  { files, profile }: Episode<Profile>,
  { traces, sees }: CriticOptions,
): Promise<BlindTask[]> {
  const { model, source } = await faulty(sample, files)
  const compared = { truth: [], predicted: [], ...(sees === 'pictures' ? {} : { source }) }
  const messages =
    sample.critic === 'joint'
      ? jointCriticMessages(model, compared, traces)
      : linkCriticMessages(model, compared, profile === 'upstream')
  const isRight = sample.labels['truth'] === 'success'
  const words = messages.map(textOf).join('\n')
  return [
    choice('verdict', words, [
      ['accept', isRight ? 1 : 0],
      ['reject', isRight ? 0 : 1],
    ]),
  ]
}

type Guesses = readonly (readonly [text: string, score: number])[]

function choice(metric: string, words: string, guesses: Guesses): BlindTask {
  const scores = guesses.map(([, score]) => score)
  const options = guesses.map(([text]) => text)
  return {
    row: metric,
    metric,
    words,
    target: { kind: 'choice', options, answer: scores.indexOf(Math.max(...scores)), scores },
  }
}

const UPRIGHT = [0, 0, 0, 1] as const
const TURNS = [30, 60, 90, 120, 150]
const SHARES = [0.15, 0.3, 0.5, 0.8]

/** Hinges at all edges, slides and spins along all axes, with few limits: by the part's own box. */
function jointsOf(model: ArticulatedModel, truth: ModelJoint): Guesses {
  const part = model.parts.find(({ name }) => name === truth.child)!
  const half = scaled(part.size, 0.5)
  const box = { min: subtract(part.center, half), max: add(part.center, half) }
  const right = { ...truth, orientation: UPRIGHT }
  return guessedJoints(part).map(([text, joint]): [string, number] => {
    const guess = { ...joint, orientation: UPRIGHT }
    const { reason } = jointVerdict(right, guess, jointDiff(right, guess, { part: box }), box)
    return [text, reason === 'success' ? 1 : 0]
  })
}

type Guessed = Pick<ModelJoint, 'type' | 'axis' | 'origin' | 'lower' | 'upper'>

function guessedJoints({ center, size }: ModelPart): [string, Guessed][] {
  const named = (axis: Vec3): string =>
    `${axis.some((value) => value < 0) ? '-' : '+'}${'xyz'[axis.findIndex(Boolean)]}`
  const turned = (text: string, axis: Vec3, origin: Vec3): [string, Guessed][] =>
    TURNS.map((degrees) => [
      `${text} by ${degrees} degrees`,
      { type: 'revolute', axis, origin, lower: 0, upper: (degrees * Math.PI) / 180 },
    ])
  const flat = size.indexOf(Math.min(...size))
  return AXES.flatMap((axis) => {
    const along = axis.findIndex(Boolean)
    const sides = AXES.filter((side) => side.findIndex(Boolean) !== along && side.findIndex(Boolean) !== flat)
    const edges = along === flat ? [] : sides
    const middle = { axis, origin: center, lower: 0 }
    return [
      ...edges.flatMap((side) => {
        const edge = add(center, [side[0] * size[0] * 0.5, side[1] * size[1] * 0.5, side[2] * size[2] * 0.5])
        return turned(`turns about ${named(axis)} at its side ${named(side)}`, axis, edge)
      }),
      ...turned(`turns about ${named(axis)} through its middle`, axis, center),
      [`turns about ${named(axis)} without limits`, { ...middle, type: 'continuous', upper: 0 }],
      ...SHARES.map((share): [string, Guessed] => [
        `slides along ${named(axis)} by ${share}`,
        { ...middle, type: 'prismatic', upper: share * lengthOf(size) },
      ]),
    ]
  })
}

/** At, inside and outside every side of what it hangs on, and in its middle. The first part is in place wherever it is put. */
function placesOf(model: ArticulatedModel, child: string): Guesses {
  const named = (name: string): ModelPart => model.parts.find((part) => part.name === name)!
  const joint = model.joints.find((each) => each.child === child)
  const [part, holder] = [named(child), named(joint?.parent ?? child)]
  const along = (k: 0 | 1 | 2): [string, number][] => {
    const [inside, outside] = [(holder.size[k] - part.size[k]) / 2, (holder.size[k] + part.size[k]) / 2]
    return [
      ['low outside', -outside],
      ['low inside', -inside],
      ['middle', 0],
      ['high inside', inside],
      ['high outside', outside],
    ]
  }
  return along(0).flatMap(([x, dx]) =>
    along(1).flatMap(([y, dy]) =>
      along(2).map(([z, dz]): [string, number] => {
        const at = add(holder.center, [dx, dy, dz])
        const isRight = !joint || distance(at, part.center) <= LINK_TOLERANCES.position
        return [`x ${x}, y ${y}, z ${z}`, isRight ? 1 : 0]
      }),
    ),
  )
}
