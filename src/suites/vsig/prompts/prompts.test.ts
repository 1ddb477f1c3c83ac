import { describe, expect, it } from 'vitest'
import { annotationSchema } from '../domain/annotation.ts'
import type { Template } from '../domain/templates.ts'
import { vsigOptions } from '../options.ts'
import { sampleOf } from '../samples/sample.ts'
import { askPrompt } from './prompts.ts'

const SILENT = /does not speak|没有说话，只用手/
const CUP = { type: 'object', points: [[1, 2]] }

function prompt(template: Template, name: string, asr: unknown, options: object = {}): string {
  const annotation = annotationSchema.parse({ object_space: [{ ...CUP, name }], asr_result: asr })
  const frame = { width: 4, height: 3 }
  const sample = sampleOf('a', 's', template, annotation, null, frame, { kind: 'file', source: 's', file: 'f' })
  return askPrompt(sample, vsigOptions.parse(options), 'seed', { ...frame, count: 2, durationMs: 900 })
}

describe('what the prompt says about speech', () => {
  it.each([['cup'], ['杯子']])('does not call a clip silent because its transcript is missing (%s)', (name) => {
    for (const missing of [null, undefined, { text: '', words: [] }, { text: null }]) {
      const text = prompt('指令2', name, missing)
      expect(text).not.toMatch(SILENT)
      expect(text).toMatch(/there is no transcript|但没有文字记录/)
    }
    expect(prompt('指令1', name, null)).toMatch(SILENT)
    expect(prompt('指令2', name, { text: 'pick this up' })).toContain('pick this up')
    expect(prompt('指令2', name, null, { input: 'video', speech: 'audio' })).toMatch(/in the audio|声音里/)
  })
})
