/** Published results of VBench, VBench-I2V and VBench-2.0, and what makes a run comparable with them. */
import { optionOf, publishedFile, type PublishedResults } from '../../../suite.ts'
import { DIMENSIONS } from '../domain/dimensions.ts'
import { i2vTotals, strictTotals } from '../domain/totals.ts'
import { vbench2Totals } from './vbench2-totals.ts'
import fileI2v from './results-i2v.json' with { type: 'json' }
import fileV2 from './results-2.0.json' with { type: 'json' }
import file from './results.json' with { type: 'json' }
import { scoreName } from '../score.ts'

type Scores = Readonly<Record<string, number | null>>

const percent = (value: number | null): number | null => (value === null ? null : value * 100)
const share = (value: number | null | undefined): number | null => (value == null ? null : value / 100)

export function publishedResults(): PublishedResults {
  return {
    ...publishedFile.parse(file),
    data: ['vbench'],
    total: (scores) =>
      percent(
        strictTotals(Object.fromEntries(DIMENSIONS.map((name) => [name, share(scores[scoreName(name, 'exact')])])))
          .total,
      ),
    conditions: (_, run) => [
      { what: 'scoring', published: 'published', run: run.profile },
      { what: 'dimensions', published: 'all', run: optionOf(run, 'dimension') },
      { what: 'videos per prompt', published: '5', run: optionOf(run, 'samples') ?? '5' },
    ],
  }
}

/** Boards of the sister benchmarks, for the documentation: no suite plays them. */
export function sisterResults(): PublishedResults[] {
  const unplayed = { data: [], conditions: () => [] }
  return [
    { ...publishedFile.parse(fileI2v), ...unplayed, total: i2vTotal, tolerance: 0.05 },
    { ...publishedFile.parse(fileV2), ...unplayed, total: v2Total, tolerance: 0.05 },
  ]
}

/** Column names of the board, by dimension. */
const I2V_NAMES = {
  video_text_camera_motion: 'camera_motion',
  video_image_subject_consistency: 'i2v_subject',
  video_image_background_consistency: 'i2v_background',
} as const

function i2vTotal(scores: Scores): number | null {
  const { quality: _, i2v: __, ...dimensions } = scores
  if (Object.values(dimensions).includes(null)) return null
  const named = Object.entries(dimensions).map(([name, value]): [string, number] => [
    Object.entries(I2V_NAMES).find(([column]) => column === name)?.[1] ?? name,
    value! / 100,
  ])
  return i2vTotals(Object.fromEntries(named)).total * 100
}

function v2Total(scores: Scores): number | null {
  if (Object.values(scores).includes(null)) return null
  const titled = Object.entries(scores).map(([name, value]): [string, number] => [titleOf(name), value!])
  return vbench2Totals(Object.fromEntries(titled))['total']!
}

/** `multi_view_consistency` is printed as Multi-View Consistency. */
function titleOf(name: string): string {
  const title = name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim()
  return title.replace('Multi View', 'Multi-View')
}
