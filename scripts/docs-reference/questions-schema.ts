/** The JSON Schema of question suites, for completion and checks in editors. */
import { z } from 'zod'
import { questionsFile } from '../../src/questions/domain/format.ts'

export function questionsSchema(): string {
  const schema = z.toJSONSchema(questionsFile, { io: 'input' })
  return `${JSON.stringify({ ...schema, title: 'Sightline question suite' }, null, 2)}\n`
}
