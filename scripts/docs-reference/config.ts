/** docs/reference/config.md, from the schema of `sightline.config.ts`. */
import type { Command } from 'commander'
import { z } from 'zod'
import { cell, code, GENERATED, page, table, withFacts } from './markdown.ts'

type Schema = z.core.JSONSchema.JSONSchema

export const CONFIG_EXAMPLE = `import { defineConfig } from 'sightline'

export default defineConfig({
  run: { model: ['our-qwen'], limit: 100, budget: '5usd' },
  models: {
    'our-qwen': { model: 'vllm/Qwen3-VL-8B', options: { base_url: 'http://localhost:8000/v1' } },
  },
  suites: ['./suites/bearings.ts'],
})
`

export function configPage(settings: z.ZodType, program: Command): string {
  const { properties = {} } = z.toJSONSchema(settings, { io: 'input' })
  return page(
    GENERATED,
    '# Config file',
    'Sightline reads `sightline.config.ts`, `.js`, `.mjs` or `.json` from the working folder, or the file given with `--config`. Every field is optional; unknown fields are errors.',
    `\`\`\`ts\n${CONFIG_EXAMPLE}\`\`\``,
    ...Object.entries(properties).flatMap(([name, property]) => section(name, schemaOf(property), program)),
  )
}

function section(name: string, schema: Schema, program: Command): string[] {
  const heading = [`## ${name}`, cell(schema.description ?? '')]
  if (name === 'run') return [...heading, runTable(schema, program)]
  if (schema.type !== 'object') return [...heading, `Type: ${code(typeOf(schema))}`]
  const entry = schemaOf(schema.additionalProperties)
  const variants = (entry.anyOf ?? [entry]).map(schemaOf)
  return [
    ...heading,
    ...variants.flatMap((variant) => [cell(variant.description ?? ''), fields(variant, `${name}.NAME.`)]),
  ]
}

/** `run` has the options of `sightline run`: their texts are the command's. */
function runTable({ properties = {} }: Schema, program: Command): string {
  const options = program.commands.find((command) => command.name() === 'run')!.options
  return table(
    ['Field', 'Type', 'Description'],
    Object.entries(properties).map(([name, property]) => {
      const option = options.find((each) => each.attributeName() === name)
      if (!option) throw new Error(`\`run.${name}\` of the config is not an option of \`sightline run\`.`)
      return [
        code(`run.${name}`),
        code(typeOf(schemaOf(property))),
        withFacts(
          RUN_DESCRIPTIONS[name] ?? option.description,
          `Same as [${code(option.long!)}](cli.md#sightline-run).`,
        ),
      ]
    }),
  )
}

/** Fields that hold a list or an object where the option takes one value, and those whose unit only the flag shows. */
const RUN_DESCRIPTIONS: Readonly<Record<string, string>> = {
  model: 'list of models to test',
  modelRole: "models for other roles: `{ judge: 'openai/gpt-5.2' }`",
  task: 'suite options by name (see `sightline list SUITE`)',
  modelOption: 'model options by name: `temperature`, `effort`, `base_url`, `judge.effort` …',
  timeout: 'timeout per request in seconds (default: 600)',
  timeLimit: 'stop the run after this many seconds; resumable',
}

function fields({ properties = {}, required = [] }: Schema, prefix: string): string {
  return table(
    ['Field', 'Type', 'Description'],
    Object.entries(properties).map(([name, property]) => {
      const schema = schemaOf(property)
      const preset = schema.default !== undefined && `Default: ${code(JSON.stringify(schema.default))}.`
      const text = withFacts(schema.description ?? '', required.includes(name) && 'Required.', preset)
      return [code(prefix + name), code(typeOf(schema)), text]
    }),
  )
}

/** As TypeScript writes it, with the bounds of numbers. */
function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(schemaOf(each))).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (schema.type === 'array') return `${typeOf(schemaOf(schema.items))}[]`
  if (schema.type === 'object') return `Record<string, ${typeOf(schemaOf(schema.additionalProperties))}>`
  if (schema.type === 'number' || schema.type === 'integer') return `${schema.type}${boundsOf(schema)}`
  return typeof schema.type === 'string' ? schema.type : 'unknown'
}

function boundsOf({ minimum, maximum, exclusiveMinimum }: Schema): string {
  const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (exclusiveMinimum !== undefined) return ` > ${exclusiveMinimum}`
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}`
  if (least !== undefined) return ` ≥ ${least}`
  return most === undefined ? '' : ` ≤ ${most}`
}

function schemaOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
