/** How long a report and a comparison take: 102,000 episodes in 3,000 scenes, 1,000 resamples. */
import { jsonValues } from '../src/base/text/index.ts'
import { compare } from '../src/report/compare.ts'
import { exampleHeader, exampleRows, exampleSuite } from '../test/support/report.ts'
import { buildReport } from '../src/report/report.ts'
import { type BenchResult, cpuSeconds, median } from './harness.ts'

const SCENES = { clusters: 3000, samplesPerCluster: 34, failures: 0.02 }

export default async function report(): Promise<BenchResult> {
  const a = { header: exampleHeader(), rows: exampleRows({ ...SCENES, skill: 0.5, key: 'a' }) }
  const b = { header: exampleHeader(), rows: exampleRows({ ...SCENES, skill: 0.55, key: 'b' }) }
  return {
    figures: {
      episodes: a.rows.length,
      'report, CPU seconds': await typical(() => buildReport({ ...a, suite: exampleSuite })),
      'compare, CPU seconds': await typical(() => compare(a, b, exampleSuite)),
      'reading 8 × the text, times the work': await growth(),
    },
    bars: { 'report, CPU seconds': { atMost: 2 }, 'reading 8 × the text, times the work': { atMost: 24 } },
  }
}

async function typical(work: () => unknown): Promise<number> {
  await work()
  const runs = []
  for (let i = 0; i < 3; i++) runs.push(await cpuSeconds(work))
  return median(runs)
}

/** The worst of several kinds of hostile replies: 8 is linear, 64 would be quadratic. */
async function growth(): Promise<number> {
  const kinds = ['[', '{', '{"a":', '{"\\', "{'", '```json\n{', '{"a" "b": }', '{/*']
  let worst = 0
  for (const kind of kinds) {
    const short = kind.repeat(Math.ceil(250_000 / kind.length))
    const long = kind.repeat(Math.ceil(2_000_000 / kind.length))
    const ratio = (await typical(() => jsonValues(long))) / (await typical(() => jsonValues(short)))
    worst = Math.max(worst, ratio)
  }
  return worst
}
