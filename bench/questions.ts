/** A question suite of 100,000 questions with 2 GB of images in one Parquet file: how it starts, and how much memory it needs. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileWriter, parquetWriteRows } from 'hyparquet-writer'
import { checkSamples } from '../src/engine/check.ts'
import { planRun } from '../src/engine/plan.ts'
import { encodePng } from '../src/media/image.ts'
import { questionSuiteAt } from '../src/questions/suite.ts'
import { type BenchResult, cpuSeconds } from './harness.ts'

const QUESTIONS = 100_000
const IMAGE_BYTES = 20_000
/** As Hugging Face datasets write images. */
const GROUP_ROWS = 100
const PLAYED = [500, 2000]

const SUITE = `
format: 1
name: many
data: { files: rows.parquet }
columns: { id: id, question: question, options: [A, B], answer: answer, images: image, labels: { type: type } }
`

export default async function questions(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-questions-'))
  try {
    const table = join(folder, 'rows.parquet')
    await writeTable(table)
    await writeFile(join(folder, 'many.yaml'), SUITE)
    const suite = await questionSuiteAt(join(folder, 'many.yaml'), 'many.yaml')
    const plan = (limit: number) => planRun({ suite, models: { player: 'baseline/oracle' }, limit: `1-${limit}` })
    const start = await cpuSeconds(() => plan(1))
    const peaks: number[] = []
    const perQuestion: number[] = []
    for (const limit of PLAYED) {
      const part = await plan(limit)
      perQuestion.push((await cpuSeconds(() => checkSamples(part))) / limit)
      peaks.push(process.memoryUsage().rss / 1e6)
    }
    return {
      figures: {
        questions: QUESTIONS,
        'file, GB': (await stat(table)).size / 1e9,
        'start, CPU seconds': start,
        'questions with their image, per CPU second': 1 / perQuestion.at(-1)!,
        'memory, MB': peaks.at(-1)!,
        'memory of 4 × the questions, times': peaks[1]! / peaks[0]!,
      },
      bars: { 'start, CPU seconds': { atMost: 2 }, 'memory of 4 × the questions, times': { atMost: 1.5 } },
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function writeTable(path: string): Promise<void> {
  const png = await encodePng({ width: 8, height: 8, channels: 3, data: new Uint8Array(192).fill(120) })
  function* rows(): Generator<Record<string, unknown>> {
    for (let i = 0; i < QUESTIONS; i++) {
      const image = new Uint8Array(IMAGE_BYTES).fill(i & 255)
      image.set(png)
      const question = `Which of the objects in picture ${i} is closer to the door?`
      yield { id: `q${i}`, question, A: `chair ${i % 9}`, B: 'table', answer: 'AB'[i % 2], type: `t${i % 8}`, image }
    }
  }
  const text = ['id', 'question', 'A', 'B', 'answer', 'type'].map((name) => ({ name, type: 'STRING' as const }))
  await parquetWriteRows({
    writer: fileWriter(path),
    rows: rows(),
    columns: [...text, { name: 'image', type: 'BYTE_ARRAY' }],
    rowGroupSize: GROUP_ROWS,
    codec: 'UNCOMPRESSED',
  })
}
