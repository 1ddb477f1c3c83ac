/**
 * Measures videos with the published code of VBench and with Sightline, both with the same random networks, and prints the
 * largest difference of each dimension, beside how far the published values of the videos are apart: random networks that say the
 * same of every video would show no difference. Needs a Python in which the published evaluator runs.
 *
 *     PUBLISHED=/data/VBench PYTHON=/data/env/bin/python npx tsx scripts/vbench-compare.ts a.mp4 b.mp4
 *
 * `--dimension NAME` compares some; `--full` takes networks of full size instead of their first layers; `--dino FOLDER` is a
 * checkout of DINO; `--networks FOLDER` keeps the networks and takes those that are there.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { type Dimension, DIMENSIONS } from '../src/suites/vbench/domain/dimensions.ts'
import type { PromptFacts } from '../src/suites/vbench/domain/prompts.ts'
import { builtinMeasures } from '../src/suites/vbench/measure/instruments.ts'
import { openNetworks } from '../src/suites/vbench/measure/open-networks.ts'
import { measureVideo } from '../src/suites/vbench/measure/watch.ts'

const TOOLS = resolve(import.meta.dirname, '../tools/vbench-export')

/** As in compare.py. */
const PROMPT = 'a red car and a dog on the left of a tree, riding a bike'
const FACTS: Readonly<Partial<Record<Dimension, PromptFacts>>> = {
  object_class: { object: 'car' },
  multiple_objects: { object: 'car and dog' },
  spatial_relationship: { relation: { a: 'car', b: 'dog', relation: 'on the left of' } },
  color: { color: 'red' },
  scene: { scene: 'a' },
  appearance_style: { style: 'oil painting' },
}

const GRIT = ['grit-features', 'grit-boxes', 'grit-objects', 'grit-words']
const VICLIP = ['viclip-vision', 'viclip-text']
const ROLES: Readonly<Partial<Record<Dimension, readonly string[]>>> = {
  subject_consistency: ['dino'],
  background_consistency: ['clip-b32-vision'],
  temporal_flickering: [],
  motion_smoothness: ['amt'],
  dynamic_degree: ['raft'],
  aesthetic_quality: ['clip-l14-vision', 'aesthetic-head'],
  imaging_quality: ['musiq'],
  object_class: GRIT,
  multiple_objects: GRIT,
  human_action: ['umt'],
  color: GRIT,
  spatial_relationship: GRIT,
  scene: ['tag2text-vision', 'tag2text-tags', 'tag2text-words'],
  temporal_style: VICLIP,
  appearance_style: ['clip-b32-vision', 'clip-b32-text'],
  overall_consistency: VICLIP,
}

const box = z.array(z.number())
const publishedLine = z.object({
  dimension: z.enum(DIMENSIONS),
  video: z.string(),
  value: z.number().nullable(),
  pairs: z.array(z.number()).optional(),
  logits: z.array(z.number()).optional(),
  captions: z.array(z.string()).optional(),
  frames: z.array(z.array(z.tuple([z.string(), box, z.string()]))).optional(),
})
type Published = z.infer<typeof publishedLine>

const named = z.array(z.array(z.object({ name: z.string(), box })))
const described = z.array(z.object({ name: z.string(), descriptions: z.array(z.string()) }))
const ourResult = z.object({
  value: z.number().nullable(),
  detail: z
    .object({
      pair_scores: z.array(z.number()).optional(),
      logits: z.array(z.tuple([z.string(), z.number()])).optional(),
      captions: z.array(z.string()).optional(),
      found: z.union([named, described]).optional(),
    })
    .optional(),
  reason: z.string().optional(),
})
type Ours = z.infer<typeof ourResult>

function python(script: string, args: readonly string[]): string {
  const { PYTHON = 'python3' } = process.env
  const { status, stdout, error } = spawnSync(PYTHON, ['-W', 'ignore', join(TOOLS, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) throw new Error(`${script} failed${error ? `: ${error.message}` : ''}`)
  return stdout
}

const largest = (differences: readonly number[]): number => Math.max(0, ...differences)
const apart = (a: readonly number[], b: readonly number[]): number =>
  a.length === b.length ? largest(a.map((each, i) => Math.abs(each - b[i]!))) : Infinity

/** Decisions: names, boxes and texts that are not the same; how many there are. */
function decisions(published: Published, ours: Ours): { all: number; other: number } | null {
  const found = ours.detail?.found
  let pairs: (readonly [unknown, unknown])[] = []
  if (published.captions && ours.detail?.captions) {
    pairs = published.captions.map((text, i) => [text, ours.detail!.captions![i]])
  } else if (published.frames && found) {
    pairs = published.frames.flatMap((frame, i) => {
      const ourFrame = found[i]
      const mine = Array.isArray(ourFrame)
        ? ourFrame.map(({ name, box: edges }) => [name, edges])
        : (ourFrame?.descriptions ?? []).map((text) => [text, ourFrame?.name])
      const theirs = frame.map(([text, edges]) => (Array.isArray(ourFrame) ? [text, edges] : [text, frame[0]![2]]))
      return Array.from({ length: Math.max(mine.length, theirs.length) }, (_, k) => [theirs[k], mine[k]] as const)
    })
  } else return null
  return { all: pairs.length, other: pairs.filter(([a, b]) => JSON.stringify(a) !== JSON.stringify(b)).length }
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dimension: { type: 'string', multiple: true },
    full: { type: 'boolean', default: false },
    dino: { type: 'string' },
    networks: { type: 'string' },
  },
})
const { PUBLISHED } = process.env
if (PUBLISHED === undefined || positionals.length === 0) {
  throw new Error('Usage: PUBLISHED=/data/VBench npx tsx scripts/vbench-compare.ts VIDEO…')
}
const wanted = DIMENSIONS.filter((each) => options.dimension?.includes(each) ?? true)
const videos = positionals.map((each) => resolve(each))
const folder = options.networks ?? mkdtempSync(join(tmpdir(), 'vbench-compare-'))
const shared = [
  '--published',
  resolve(PUBLISHED),
  ...(options.full ? [] : ['--shallow']),
  ...(options.dino === undefined ? [] : ['--dino', resolve(options.dino)]),
]
const roles = [...new Set(wanted.flatMap((dimension) => ROLES[dimension] ?? []))]
const there = existsSync(join(folder, 'models.json'))
  ? Object.keys(JSON.parse(readFileSync(join(folder, 'models.json'), 'utf8')))
  : []
const missing = roles.filter((role) => !there.includes(role))
if (missing.length > 0) {
  const list = missing.flatMap((role) => ['--role', role])
  process.stderr.write(python('export.py', [...shared, '--random-weights', '--out', folder, ...list]))
}
const output = python('compare.py', [...shared, ...wanted.flatMap((each) => ['--dimension', each]), ...videos])
const published = output
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => publishedLine.parse(JSON.parse(line)))

const measures = [...(await openNetworks(folder, { outputs: new Set(wanted) })), ...builtinMeasures()]
interface Worst {
  value: number
  inner: number | null
  all: number
  other: number
  /** Of the published values. */
  low: number
  high: number
}
const worst = new Map<Dimension, Worst>()
for (const line of published) {
  const { dimension, video } = line
  const measure = measures.find(({ outputs }) => outputs.includes(dimension))!
  const results = await measureVideo(
    {
      path: video,
      signal: new AbortController().signal,
      prompt: { prompt: dimension === 'human_action' ? basename(video) : PROMPT, facts: FACTS[dimension] ?? {} },
      episode: { ask: () => Promise.reject(new Error('no judge')), keep: () => Promise.reject(new Error('no store')) },
    },
    new Map([[dimension, measure]]),
  )
  const given = results[dimension]
  const ours = ourResult.parse(
    given instanceof Object && 'value' in given && given.value instanceof Object ? given.value : given,
  )
  const value =
    line.value === null || ours.value === null
      ? line.value === ours.value
        ? 0
        : Infinity
      : Math.abs(line.value - ours.value)
  const inner = line.pairs
    ? apart(line.pairs, ours.detail?.pair_scores ?? [])
    : line.logits
      ? apart(
          line.logits.toSorted((a, b) => b - a).slice(0, 5),
          (ours.detail?.logits ?? []).map(([, each]) => each),
        )
      : null
  const within = inner === null ? '' : `, ${inner.toExponential(1)} before the rule`
  const said = ours.reason === undefined ? '' : `: ${ours.reason}`
  process.stderr.write(`${dimension} ${basename(video)} ${value.toExponential(1)}${within}${said}\n`)
  const before = worst.get(dimension) ?? { value: 0, inner: null, all: 0, other: 0, low: Infinity, high: -Infinity }
  const first = line.logits?.[0] ?? line.pairs?.[0] ?? line.value
  const chosen = decisions(line, ours) ?? { all: 0, other: 0 }
  worst.set(dimension, {
    value: Math.max(before.value, value),
    inner: inner === null ? before.inner : Math.max(before.inner ?? 0, inner),
    all: before.all + chosen.all,
    other: before.other + chosen.other,
    low: Math.min(before.low, first ?? Infinity),
    high: Math.max(before.high, first ?? -Infinity),
  })
}
console.log(
  '| dimension | largest difference | before the rule | decisions that differ | range of values |\n|---|---|---|---|---|',
)
for (const [dimension, { value, inner, all, other, low, high }] of worst) {
  const cells = [
    dimension,
    value.toExponential(1),
    inner?.toExponential(1) ?? '',
    all === 0 ? '' : `${other} of ${all}`,
    low > high ? 'no value' : `${low.toPrecision(4)} to ${high.toPrecision(4)}`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
