/** Articulate's published profile next to the fork of Articulate-Anything: verifiers, driver, URDF critics. */
import type { Random } from '../../src/base/random.ts'
import { PublishedDriver } from '../../src/suites/articulate/published/driver.ts'
import { publishedEvaluation } from '../../src/suites/articulate/published/critiques.ts'
import { isTrue, PythonError, type Printed } from '../../src/suites/articulate/published/python.ts'
import { publishedScores, publishedUrdfShares } from '../../src/suites/articulate/published/urdf-scorer.ts'
import { ADAPTIVE_DEFAULTS, Verifier, VERIFIER_DEFAULTS } from '../../src/suites/articulate/play/verifier.ts'
import { inChinese } from '../articulate/verifier.ts'
import { fuzzTarget, type Plain, Raised } from './target.ts'

const fork = {
  checkout: { repository: 'anonymous4science-paper/PhysArtGen', commit: 'bbde5cd791f4634124d20b9d7f7735b0f6432777' },
  driver: 'articulate-fork.py',
}

interface Written extends Readonly<Record<string, Plain>> {
  value: number
  whole: boolean
}

const written = (random: Random, from: number, to: number): Written =>
  random.chance(0.5)
    ? { value: random.between(from, to), whole: random.chance(0.5) }
    : { value: Math.round(random.range(from, to) * 100) / 100, whole: false }

function score(random: Random): Plain {
  if (random.chance(0.05)) return random.pick<Plain>([null, 'nan', 'inf', '-inf', true, false, 'high', []])
  return random.chance(0.5) ? random.between(-1, 10) : random.pick([7.25, 7.35, 7.5, 8, 8.5, random.range(0, 10)])
}

const value = (given: Plain | undefined): unknown =>
  given === 'nan' ? Number.NaN : given === 'inf' ? Infinity : given === '-inf' ? -Infinity : given

const THRESHOLDS = ['position_threshold', 'joint_threshold', 'overall_threshold', 'min_threshold']

const verifier = fuzzTarget({
  ...fork,
  generate(random) {
    const config: { [name: string]: Written } = {}
    for (const name of THRESHOLDS) if (random.chance(0.5)) config[name] = written(random, 0, 10)
    if (random.chance(0.5)) config['max_iterations'] = { value: random.int(8), whole: true }
    if (random.chance(0.5)) config['patience'] = { value: random.int(5), whole: true }
    if (random.chance(0.5)) config['threshold_decay'] = { value: random.pick([0.5, 0.9, 1, 1.1]), whole: false }
    if (random.chance(0.5)) config['adaptation_interval'] = { value: random.pick([0, 1, 2, 3]), whole: true }
    let iteration = random.int(2)
    const records = Array.from({ length: random.between(1, 9) }, () => {
      const record: Record<string, Plain> = { feedback_score: score(random) }
      if (random.chance(0.97)) record['iteration'] = iteration
      if (random.chance(0.5)) record['position_score'] = score(random)
      if (random.chance(0.5)) record['joint_score'] = score(random)
      if (random.chance(0.03)) delete record['feedback_score']
      if (random.chance(0.9)) iteration += 1
      return record
    })
    return { kind: 'verifier', adaptive: random.chance(0.5), config, records }
  },
  ours({ adaptive, config, records }) {
    const printed = (name: string, otherwise: Printed): Printed => config[name] ?? otherwise
    const own = new Verifier('upstream', {
      position_threshold: printed('position_threshold', VERIFIER_DEFAULTS.position_threshold),
      joint_threshold: printed('joint_threshold', VERIFIER_DEFAULTS.joint_threshold),
      overall_threshold: printed('overall_threshold', VERIFIER_DEFAULTS.overall_threshold),
      max_iterations: config['max_iterations']?.value ?? VERIFIER_DEFAULTS.max_iterations,
      patience: config['patience']?.value ?? VERIFIER_DEFAULTS.patience,
      adaptive: adaptive
        ? {
            threshold_decay: config['threshold_decay']?.value ?? ADAPTIVE_DEFAULTS.upstream.threshold_decay,
            min_threshold: printed('min_threshold', ADAPTIVE_DEFAULTS.upstream.min_threshold),
            adaptation_interval: config['adaptation_interval']?.value ?? ADAPTIVE_DEFAULTS.upstream.adaptation_interval,
          }
        : null,
    })
    try {
      return records.map((record) => {
        const given = Object.fromEntries(Object.entries(record).map(([key, each]) => [key, value(each)]))
        const goesOn = own.shouldContinue([given])
        const { best_score, no_improvement_count, overall_threshold } = own.state()
        return [goesOn, inChinese(own.stopReason()?.text), best_score, no_improvement_count, overall_threshold]
      })
    } catch (error) {
      if (error instanceof PythonError) throw new Raised(error.kind)
      throw error
    }
  },
})

const driver = fuzzTarget({
  ...fork,
  generate(random) {
    const iterations = random.between(1, 7)
    const config: Record<string, number> = {}
    if (random.chance(0.5)) config['quality_threshold'] = random.pick([6, 8.5, 9])
    if (random.chance(0.5)) config['convergence_threshold'] = random.pick([0, 0.1, 0.5])
    if (random.chance(0.5)) config['min_iterations'] = random.int(4)
    let last = random.between(0, 9)
    return {
      kind: 'driver',
      iterations,
      config,
      steps: Array.from({ length: iterations }, () => {
        last = Math.max(-1, Math.min(10, last + random.pick([0, 0.1, -0.1, 0.09, 1, -2, 3, -5])))
        return {
          kind: random.weighted(['scored', 'failed', 'no_urdf'] as const, [6, 1, 1]),
          score: random.chance(0.03) ? random.pick<Plain>(['nan', 'inf', '-inf']) : last,
          success: random.pick<Plain>([null, false, false, true, 0, 1, '', 'false']),
        }
      }),
    }
  },
  ours({ iterations, config, steps }) {
    const own = new PublishedDriver({ ...config, max_iter: iterations })
    for (let iteration = 0; iteration < iterations; iteration++) {
      const { kind, score: given, success } = steps[iteration]!
      const judged = { feedback_score: Number(value(given)), success: isTrue(success) }
      const stop = own.after(iteration, kind === 'scored' ? judged : kind)
      if (stop) return { asked: iteration + 1, reason: stop.code }
    }
    return { asked: iterations, reason: 'exhausted' }
  },
})

const evaluation = fuzzTarget({
  ...fork,
  generate(random) {
    const given: Record<string, Plain> = {}
    const number = (): Plain =>
      random.chance(0.03)
        ? random.pick<Plain>(['8', null, 'high', {}])
        : random.pick<Plain>([0, 10, 8, 9.25, random.range(0, 10), true])
    if (random.chance(0.9)) given['link_position_score'] = number()
    if (random.chance(0.8)) given['joint_score'] = number()
    if (random.chance(0.8)) given['success'] = random.pick<Plain>([true, false, null, 'true', 1])
    if (random.chance(0.05)) given['joint_evaluation_details'] = random.pick<Plain>([null, 'none', {}, [1], { a: 1 }])
    else if (random.chance(0.8))
      given['joint_evaluation_details'] = Array.from({ length: random.int(4) }, () => ({
        joint_name: 'j',
        ...(random.chance(0.9) ? { type_score: number() } : {}),
        ...(random.chance(0.9) ? { position_score: number() } : {}),
      }))
    return { kind: 'evaluation', evaluation: given }
  },
  ours: ({ evaluation: given }) => {
    try {
      return { ...publishedEvaluation(given) }
    } catch (error) {
      if (error instanceof PythonError) throw new Raised()
      throw error
    }
  },
})

const WORDS = ['body', 'door', 'lid', 'solid', 'Drawer', 'wheel', 'handle', 'sliding_panel', 'hinge', 'CONTINUOUS_x']
const TYPES = ['fixed', 'revolute', 'prismatic', 'continuous', 'floating']

function urdf(random: Random): string {
  const links = Array.from({ length: random.int(5) }, () => `<link name="${random.pick(WORDS)}"/>`)
  const vector = (): string =>
    random.pick([
      '0 0 1',
      '1 0 0',
      '0 0 0',
      '2 0 0',
      '0.1 0.2 0.97',
      '6 0 0',
      '11 0 0',
      'a b c',
      '1 2',
      '',
      'nan 0 1',
      '1e200 0 0',
    ])
  const joints = Array.from({ length: random.int(5) }, () => {
    const type = ` type="${random.pick(TYPES)}"`
    const body = [
      random.chance(0.9) ? `<parent link="${random.pick(WORDS)}"/>` : '',
      random.chance(0.9) ? `<child${random.chance(0.2) ? type : ''} link="${random.pick(WORDS)}"/>` : '',
      random.chance(0.6) ? `<origin xyz="${vector()}" rpy="0 0 0"/>` : '',
      random.chance(0.6) ? `<axis xyz="${vector()}"/>` : '',
      // An element of its own, as some converters write it.
      random.chance(0.4) ? `<motion${type}/>` : '',
    ]
    const name = random.chance(0.9) ? ` name="${random.pick(['j', 'k', random.pick(WORDS)])}"` : ''
    const open = random.chance(0.5) ? `<joint${name}${type}>` : `<joint${type}${name}>`
    return `${open}\n${random.shuffle(body).join('\n')}\n${random.chance(0.95) ? '</joint>' : ''}`
  })
  return `<?xml version="1.0"?>\n<robot name="${random.pick(WORDS)}">\n${[...links, ...joints].join('\n')}\n</robot>`
}

const scorer = fuzzTarget({
  ...fork,
  generate: (random) => ({
    kind: 'scorer',
    urdf: urdf(random),
    weights: random.pick([
      [0.4, 0.6],
      [0.5, 0.5],
    ]),
    position: random.chance(0.5) ? random.between(0, 20) / 20 : random.unit(),
  }),
  ours({ urdf: text, weights: [position, joint], position: framing }) {
    const { total } = publishedUrdfShares(text)
    const weights = { position: position!, joint: joint! }
    return { share: total, ...publishedScores({ position: framing, joint: total }, weights) }
  },
})

export const articulateForkTargets = {
  'articulate-verifier': verifier,
  'articulate-driver': driver,
  'articulate-evaluation': evaluation,
  'articulate-urdf-scorer': scorer,
}
