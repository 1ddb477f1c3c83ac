/** Project settings: `.env` and `sightline.config.{ts,js,mjs,json}`. */
import { existsSync, readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { UserError, fileErrorReason } from '../base/errors.ts'
import { generatorSettings } from '../models/generators/open.ts'
import { type NumberRange, RANGES } from './ranges.ts'
import { readForeignJson } from '../base/foreign/json.ts'

const modelOptions = z.record(z.string(), z.json())
const scalars = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

function within({ min, max, whole = false }: NumberRange): z.ZodNumber {
  const number = whole ? z.int() : z.number()
  return number.min(min ?? -Infinity).max(max ?? Infinity)
}

export const settingsSchema = z.strictObject({
  run: z
    .strictObject({
      model: z.array(z.string()).optional(),
      modelRole: z.record(z.string(), z.string()).optional(),
      task: scalars.optional(),
      modelOption: modelOptions.optional(),
      source: z.string().optional(),
      profile: z.string().optional(),
      limit: z.union([z.string(), z.number()]).transform(String).optional(),
      sample: within(RANGES.sample).optional(),
      epochs: within(RANGES.epochs).optional(),
      seed: within(RANGES.seed).optional(),
      maxConnections: within(RANGES.maxConnections).optional(),
      requestsPerMinute: within(RANGES.perMinute).optional(),
      tokensPerMinute: within(RANGES.perMinute).optional(),
      maxRetries: within(RANGES.maxRetries).optional(),
      timeout: within(RANGES.timeout).optional(),
      timeLimit: within(RANGES.timeLimit).optional(),
      budget: z.string().optional(),
      prices: z.string().optional(),
      failOnError: z.union([z.string(), z.number()]).transform(String).optional(),
    })
    .optional()
    .describe('Defaults for `sightline run`; command-line options take precedence.'),
  models: z
    .record(
      z.string(),
      z.strictObject({
        model: z.string().describe('provider and name, for example `vllm/Qwen3-VL-8B`'),
        options: modelOptions.optional().describe('model options, as with `-M`'),
        task: scalars.optional().describe('suite options used with this model, as with `-T`'),
      }),
    )
    .optional()
    .describe('Short names for models with their own endpoint and options: `--model our-qwen`.'),
  suites: z
    .array(z.string())
    .optional()
    .describe('Custom suites: files (`./suites/mine.ts`) or packages (`their-package/suite`).'),
  generators: z
    .record(z.string(), generatorSettings)
    .optional()
    .describe('Video generators for `vbench`: `--model generator/our-wan`. Each has either a `url` or a `command`.'),
})

/** The default export of `sightline.config.ts`. */
export type Settings = z.infer<typeof settingsSchema>

/**
 * Type checking for a config file.
 *
 * @example
 * export default defineConfig({ run: { model: ['vllm/Qwen3-VL-8B'] }, suites: ['./suites/bearings.ts'] })
 */
export function defineConfig(config: z.input<typeof settingsSchema>): z.input<typeof settingsSchema> {
  return config
}

const DEFAULT_FILES = ['sightline.config.ts', 'sightline.config.js', 'sightline.config.mjs', 'sightline.config.json']

export async function loadSettings(file: string | undefined): Promise<Settings> {
  if (file !== undefined && !existsSync(file)) throw new UserError(`Config file not found: ${file}`)
  const path = file ?? DEFAULT_FILES.find((name) => existsSync(name))
  if (path === undefined) return {}
  const parsed = settingsSchema.safeParse(await readSettings(resolve(path)))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'top level'}: ${issue.message}`)
  throw new UserError(`Invalid config ${path}: ${problems.join('; ')}.`)
}

async function readSettings(path: string): Promise<unknown> {
  try {
    if (extname(path) === '.json') return await readForeignJson(path)
    const { createJiti } = await import('jiti')
    const virtualModules = { sightline: { defineConfig } }
    return await createJiti(import.meta.url, { virtualModules, fsCache: false }).import(path, { default: true })
  } catch (error) {
    throw new UserError(`Cannot read ${path}: ${fileErrorReason(error)}.`, { cause: error })
  }
}

/** The environment plus `.env` of the working folder; variables that are already set take precedence. */
export function environment(): Record<string, string | undefined> {
  if (!existsSync('.env')) return process.env
  try {
    return { ...parseEnv(readFileSync('.env', 'utf8')), ...process.env }
  } catch (error) {
    throw new UserError(`Cannot read .env: ${fileErrorReason(error)}.`, { cause: error })
  }
}
