/** VSIG: the five published generations of the scorer, from the text of a reply to the table of a batch. */
import { Table } from '../../src/report/table.ts'
import type { ScoredRow } from '../../src/report/means.ts'
import { annotationSchema, evalTruthSchema } from '../../src/suites/vsig/domain/annotation.ts'
import { TEMPLATES, type Template, isTemplate, shortName } from '../../src/suites/vsig/domain/templates.ts'
import { vsigOptions } from '../../src/suites/vsig/options.ts'
import { sampleOf, type VsigSample } from '../../src/suites/vsig/samples/sample.ts'
import { score } from '../../src/suites/vsig/score.ts'
import { metrics, summary } from '../../src/suites/vsig/summary.ts'
import { type FuzzTarget, fuzzTarget, type Plain } from './target.ts'
import { type Generation, type VsigBatch, vsigBatch, type VsigClip } from './vsig-cases.ts'

const VSIG = 'jetteezhou/VSIG-bench'
const GENERATIONS: Readonly<Record<Generation, { repository: string; commit: string }>> = {
  v0: { repository: VSIG, commit: '18880cb54733f8b17d51ab3bc001530ec3dd5e59' },
  v1: { repository: VSIG, commit: '2fd50df8c2ba217a04b96cfd9fe25c5a9a6aacca' },
  v2: { repository: VSIG, commit: '7298fbe935aa2e964086c84490efaaa563e12e42' },
  v3: { repository: VSIG, commit: '69a42b949d5379bab6f4044263806678c89f19ca' },
  v4: { repository: 'jetteezhou/Listening-with-the-Eyes', commit: '2f32ae4' },
}

type Scores = Awaited<ReturnType<typeof score>>

async function scoresOf(clip: VsigClip, sample: VsigSample, generation: Generation): Promise<Scores> {
  const [width, height] = clip.frame
  const { judge } = clip
  const temporal = sample.annotation.asr_result?.text ? (judge?.temporal ?? null) : null
  const outcome = {
    reply: clip.reply,
    shown: { width, height },
    judge:
      judge &&
      (generation === 'v2'
        ? { intent: null, temporal: null, moments: [...judge.moments] }
        : { intent: judge.intent, temporal }),
  }
  const options = vsigOptions.parse({ coords: clip.order === 'yx' ? 'yx1000' : 'xy1000' })
  return score(sample, outcome, { profile: `upstream-${generation}`, options })
}

function sampleFor({ annotation, evalTruth, frame: [width, height] }: VsigClip): VsigSample {
  const parsed = annotationSchema.parse(annotation)
  const template: Template = isTemplate(parsed.task_template) ? parsed.task_template : TEMPLATES[0]
  return sampleOf(
    'clip',
    'set',
    template,
    parsed,
    evalTruthSchema.parse(evalTruth),
    { width, height },
    {
      kind: 'file',
      source: 'vsig',
      file: 'clip',
    },
  )
}

const KEYS: Readonly<Record<Generation, readonly string[]>> = {
  v0: ['intent', 'hits', 'slots', 'moments', 'windows'],
  v1: ['intent', 'hits', 'slots', 'moments', 'windows'],
  v2: ['intent', 'match', 'spatial', 'temporal'],
  v3: ['intent', 'spatial', 'temporal'],
  v4: ['cls', 'spatial', 'temporal', 'joint', 'sequence'],
}

/** The figures of a clip; null if the published code leaves it out. */
function figuresOf(scores: Scores, generation: Generation): { [key: string]: Plain } | null {
  if (Object.keys(scores).length === 0) return null
  if (scores[`${generation}.text`] !== undefined) return { unusable: true }
  return Object.fromEntries(KEYS[generation].map((key) => [key, scores[`${generation}.${key}`] ?? 0]))
}

/** The published names of the figures in our tables, over all clips and per template. */
const TABLES: Readonly<
  Record<Generation, { all: Readonly<Record<string, string>>; each: Readonly<Record<string, string>> }>
> = (() => {
  const judged = {
    all: {
      intent_grounding_accuracy: 'intent',
      spatial_grounding_accuracy: 'spatial',
      temporal_grounding_accuracy: 'temporal',
      overall_score: 'overall',
    },
    each: {
      intent_accuracy: 'intent',
      spatial_grounding: 'spatial',
      temporal_grounding: 'temporal',
      overall: 'overall',
    },
  }
  const { temporal_grounding_accuracy: _, ...all } = judged.all
  const { temporal_grounding: __, ...each } = judged.each
  const eco = {
    acc_cls: 'v4.cls',
    acc_s: 'v4.spatial',
    acc_t: 'v4.temporal',
    acc_eco: 'v4.joint',
    acc_seq: 'v4.sequence',
  }
  return {
    v0: { all: judged.all, each: {} },
    v1: judged,
    v2: { ...judged, all: { overall_accuracy: 'intent', ...judged.all } },
    v3: {
      all: { overall_accuracy: 'intent', speech_temporal_grounding_accuracy: 'temporal', ...all },
      each: { speech_temporal_grounding: 'temporal', ...each },
    },
    v4: { all: eco, each: eco },
  }
})()

function tableOf(rows: readonly ScoredRow[], generation: Generation): Plain {
  if (rows.length === 0) return null
  const table = summary(new Table([...rows], metrics), { profile: `upstream-${generation}` })
  const values = new Map(table.rows.map(({ key, value }) => [key, value]))
  const { all, each } = TABLES[generation]
  const named = (names: Readonly<Record<string, string>>, prefix: string): Record<string, Plain> =>
    Object.fromEntries(Object.entries(names).map(([theirs, ours]) => [theirs, values.get(prefix + ours) ?? null]))
  if (values.get(all['overall_score'] ?? 'v4.cls') === null) return 'unusable'
  if (Object.keys(each).length === 0) return named(all, '')
  const templates = TEMPLATES.filter((template) =>
    rows.some(({ labels }) => labels['template'] === shortName(template)),
  )
  const breakdown = templates.map((template): [string, Plain] => {
    const count = rows.filter(({ labels }) => labels['template'] === shortName(template)).length
    return [template, { ...named(each, `${shortName(template)}.`), count }]
  })
  return { ...named(all, ''), instruction_breakdown: Object.fromEntries(breakdown) }
}

async function ours({ generation, clips }: VsigBatch): Promise<Plain> {
  const rows: ScoredRow[] = []
  const figures: Plain[] = []
  for (const [i, clip] of clips.entries()) {
    const sample = sampleFor(clip)
    const scores = await scoresOf(clip, sample, generation)
    const shown = figuresOf(scores, generation)
    // Generation 3 computes a moment for silent clips, and uses it nowhere.
    const isUnused = generation === 'v3' && sample.template === '指令1'
    figures.push(shown && isUnused ? { ...shown, temporal: 'unused' } : shown)
    const id = String(i)
    if (shown !== null)
      rows.push({ sample: id, cluster: id, epoch: 1, status: 'answered', labels: sample.labels, scores })
  }
  return { clips: figures, table: tableOf(rows, generation) }
}

export const vsigTargets: Readonly<Record<string, FuzzTarget>> = Object.fromEntries(
  Object.entries(GENERATIONS).map(([name, checkout]) => {
    const generation = name as Generation
    return [
      `vsig-${generation}`,
      fuzzTarget<VsigBatch>({
        checkout,
        driver: 'vsig.py',
        generate: (random) => vsigBatch(random, generation, checkout.commit),
        ours,
      }),
    ]
  }),
)
