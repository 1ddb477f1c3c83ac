/** Which generator is meant: a name from the config, or an address. Commands come from the config alone. */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import { commandGenerator } from './command.ts'
import type { Generator } from './generator.ts'
import { httpGenerator } from './http.ts'

const atOnce = z.int().min(1).max(256).optional().describe('videos under way at once')
const seconds = z.number().positive()

/**
 * One entry of `generators` in the config. A command stands there and nowhere else: what a run keeps of its options
 * may come from a stranger, and must never be started.
 *
 * @example
 * { url: 'http://localhost:8000/v1/videos', model: 'wan2.1', fields: { steps: 30 } }
 * { command: 'python make.py --prompt {prompt} --seed {seed} --out {out}', model: 'mine' }
 */
export const generatorSettings = z.union([
  z
    .strictObject({
      url: z.string().describe('where videos are submitted to'),
      model: z.string().optional().describe('name of the model, for the server and the record'),
      fields: z.record(z.string(), z.unknown()).optional().describe('further fields of every request'),
      pollSeconds: seconds.optional().describe('pause between questions whether a video is done; default 2'),
      timeoutSeconds: seconds.optional().describe('longest wait for one video; default 1800'),
      atOnce,
    })
    .describe('An HTTP server:'),
  z
    .strictObject({
      command: z.string().describe('started without a shell; {prompt}, {seed} and {out} are filled in'),
      model: z.string().optional().describe('name of the model, for the record'),
      atOnce,
    })
    .describe('A program on this machine:'),
])
export type GeneratorSettings = z.infer<typeof generatorSettings>

export const GENERATOR_KEY = 'GENERATOR_API_KEY'

export interface OpenedGenerator extends Generator {
  /** What changes the videos it makes: part of the key under which they are kept. */
  settings: Readonly<Record<string, unknown>>
  key: string | undefined
}

export function isAddress(name: string): boolean {
  return /^https?:\/\//i.test(name)
}

/** @param name an address, or what the config calls it */
export function openGenerator(
  name: string,
  known: Readonly<Record<string, GeneratorSettings>>,
  env: Readonly<Record<string, string | undefined>>,
): OpenedGenerator {
  const settings = Object.hasOwn(known, name) ? known[name] : isAddress(name) ? { url: name } : undefined
  if (settings === undefined) {
    const names = Object.keys(known)
    throw new UserError(`There is no generator "${name}".`, {
      hint:
        names.length > 0
          ? didYouMean(name, names, 'Generators')
          : 'Give its address (http://…), or name it under "generators" in sightline.config.',
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
