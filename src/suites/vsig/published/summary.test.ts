import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Table } from '../../../report/table.ts'
import { metrics, summary } from '../summary.ts'
import { metricsV1 } from './scorer-v1.ts'

interface Clip {
  template: string
  intent: number
  spatial: number[]
  temporal: unknown[] | null
}

function figures(clips: readonly Clip[]): Record<string, number | null> {
  const rows = clips.map(({ template, ...scored }, i) => ({
    sample: String(i),
    epoch: 1,
    cluster: String(i),
    labels: { template },
    status: 'answered' as const,
    scores: metricsV1(scored),
  }))
  const table = summary(new Table(rows, metrics), { profile: 'upstream-v1' })
  return Object.fromEntries(table.rows.map(({ key, value }) => [key, value]))
}

describe('the published aggregation', () => {
  it('reproduces the four published figures exactly from their sample counts', () => {
    const file = new URL('../../../../conformance/oracle/vsig/scoring.json', import.meta.url)
    const { aggregate_cases_v1: cases } = z
      .object({
        aggregate_cases_v1: z.array(
          z.object({
            tags: z.array(z.string()),
            samples: z.array(
              z.object({
                task_template: z.string(),
                intent_accuracy: z.number(),
                spatial_grounding: z.array(z.number()),
                temporal_grounding: z.array(z.unknown()).nullable(),
              }),
            ),
          }),
        ),
      })
      .parse(JSON.parse(readFileSync(file, 'utf8')))
    const published = cases.find(({ tags }) => tags.includes('seed'))!
    const samples = published.samples.map((sample) => ({
      template: sample.task_template,
      intent: sample.intent_accuracy,
      spatial: sample.spatial_grounding,
      temporal: sample.temporal_grounding,
    }))
    expect(figures(samples)).toMatchObject({
      intent: 0.07436781609195403,
      spatial: 0.015957446808510637,
      temporal: 0,
      overall: 0.04516263145023233,
    })
  })

  it('reports that a temporal score as text makes the original fail', () => {
    const clips = [
      { template: 'T2', intent: 1, spatial: [1], temporal: ['high'] },
      { template: 'T3', intent: 1, spatial: [1, 1], temporal: [1, 1] },
    ]
    expect(figures(clips)).toMatchObject({ overall: null, intent: null, 'T3.overall': null })
  })

  it('says nothing of a template without a clip', () => {
    const clip = { template: 'T2', intent: 1, spatial: [1], temporal: null }
    const rows = ['T1', 'T2'].map((template, i) => ({
      sample: String(i),
      epoch: 1,
      cluster: String(i),
      labels: { template },
      status: template === 'T1' ? ('parse_failed' as const) : ('answered' as const),
      scores: template === 'T1' ? {} : metricsV1(clip),
    }))
    const table = summary(new Table(rows, metrics), { profile: 'upstream-v1' })
    const values = Object.fromEntries(table.rows.map(({ key, value }) => [key, value]))
    expect(values).toMatchObject({ 'T1.spatial': null, 'T1.temporal': null, 'T2.spatial': 1, 'T2.temporal': 0 })
  })
})
