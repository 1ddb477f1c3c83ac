/** Opens a video generator by its name in the config or by URL. Commands are only accepted from the config. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import { commandGenerator } from './command.ts'
import type { Generator } from './generator.ts'
import { httpGenerator } from './http.ts'

const atOnce = z
  .int()
  .min(1)
  .max(256)
  .optional()
  .describe('videos generated at once; default: 4 for a url, 1 for a command')
const seconds = z.number().positive()

/**
 * One entry of `generators` in the config. Commands are accepted nowhere else: the options saved with a run may come
 * from an untrusted source and must never be executed.
 *
 * @example
 * { url: 'http://localhost:8000/v1/videos', model: 'wan2.1', fields: { steps: 30 } }
 * { command: 'python make.py --prompt {prompt} --seed {seed} --out {out}', model: 'mine' }
 */
export const generatorSettings = z.union([
  z
    .strictObject({
      url: z.string().describe('endpoint for new videos'),
      model: z.string().optional().describe('model name, sent to the server and recorded'),
      fields: z.record(z.string(), z.unknown()).optional().describe('additional fields for every request'),
      pollSeconds: seconds.optional().describe('seconds between status checks; default: 2'),
      timeoutSeconds: seconds.optional().describe('timeout per video in seconds; default: 1800'),
      atOnce,
    })
    .describe('An HTTP server:'),
  z
    .strictObject({
      command: z.string().describe('run without a shell; {prompt}, {seed}, {index}, {image} and {out} are replaced'),
      model: z.string().optional().describe('model name, recorded with the run'),
      atOnce,
    })
    .describe('A local program:'),
])
export type GeneratorSettings = z.infer<typeof generatorSettings>

export const GENERATOR_KEY = 'GENERATOR_API_KEY'

export interface OpenedGenerator extends Generator {
  /** Settings that affect the videos; part of the cache key. */
  settings: Readonly<Record<string, unknown>>
  key: string | undefined
}

export function isUrl(name: string): boolean {
  return /^https?:\/\//i.test(name)
}

/** @param name a URL, or a name from the config */
export function openGenerator(
  name: string,
  known: Readonly<Record<string, GeneratorSettings>>,
  env: Readonly<Record<string, string | undefined>>,
): OpenedGenerator {
  const settings = Object.hasOwn(known, name) ? known[name] : isUrl(name) ? { url: name } : undefined
  if (settings === undefined) {
    const names = Object.keys(known)
    throw new UserError(`Unknown generator "${name}".`, {
      hint:
        names.length > 0
          ? didYouMean(name, names, 'Generators')
          : 'Use a URL (http://…), or define it under "generators" in the sightline config.',
    })
  }
  const key = env[GENERATOR_KEY]?.trim() || undefined
  if ('command' in settings) {
    const generator = commandGenerator(settings.command, settings.model ?? null)
    return { ...generator, atOnce: settings.atOnce ?? generator.atOnce, settings: { command: settings.command }, key }
  }
  const { url, model, fields = {}, pollSeconds, timeoutSeconds } = settings
  const generator = httpGenerator({
    url,
    key,
    model,
    fields,
    pollMs: pollSeconds && pollSeconds * 1000,
    timeoutMs: timeoutSeconds && timeoutSeconds * 1000,
  })
  return { ...generator, atOnce: settings.atOnce ?? generator.atOnce, settings: { url, model, fields }, key }
}
