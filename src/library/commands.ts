/** The commands that repeat and resume a recorded run. */
import { isDeepStrictEqual } from 'node:util'
import { isSecretName } from '../models/providers/options.ts'
import type { RunHeader } from '../store/records.ts'
import { isImport } from '../engine/imported-replies.ts'
import { suiteOptions } from '../engine/options.ts'
import { HUMAN_PREFIX } from '../engine/players.ts'
import { defaultSource } from '../engine/source.ts'
import type { AnySuite } from '../engine/suite.ts'

/**
 * The words of the command that repeats a run, with every option that is not a default; null for a run that a person
 * played or another tool recorded. Secrets are left out. To print it, use `shellCommand`.
 *
 * @param suite null if it is not installed: all options are then given
 */
export function runCommand(header: RunHeader, suite: AnySuite | null): string[] | null {
  const { player = '', ...roles } = header.models
  if (isImport({ player: header.suite }) || isImport(header.models) || player.startsWith(HUMAN_PREFIX)) return null
  const pairs = (flag: string, values: Readonly<Record<string, unknown>>): string[] =>
    Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${textOf(value)}`])
  const other = <T>(flag: string, value: T | null, usual: T | null): string[] =>
    value === null || value === usual ? [] : [flag, String(value)]
  return [
    'npx',
    'sightline',
    'run',
    header.suiteModule?.from ?? header.suite,
    '--model',
    player,
    ...pairs('--model-role', roles),
    ...pairs('-M', withoutSecrets(header.modelOptions)),
    ...pairs('-T', optionsToGive(header, suite)),
    ...other('--profile', header.profile, suite?.profiles[0] ?? null),
    ...other('--source', header.source, suite && defaultSource(suite)),
    ...other('--limit', header.limit, null),
    ...other('--sample', header.sample ?? null, null),
    ...(header.sampleIds ?? []).flatMap((id) => ['--sample-id', id]),
    ...other('--epochs', header.epochs, 1),
    ...other('--seed', header.seed, 0),
    ...other('--budget', header.budget, null),
    ...other('--time-limit', header.timeLimitSeconds, null),
  ]
}

/** The command that resumes a run. @param hasErrors some episodes ended in a model error, which it plays again */
export function resumeCommand(id: string, hasErrors: boolean): string[] {
  return ['sightline', 'resume', id, ...(hasErrors ? ['--retry-errors'] : [])]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The suite options that differ from the defaults, or all if the others would not get the same values. */
function optionsToGive({ options }: RunHeader, suite: AnySuite | null): Readonly<Record<string, unknown>> {
  if (suite === null) return options
  const asTyped = (given: Readonly<Record<string, unknown>>): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([key, value]) => [key, textOf(value)]))
  try {
    const usual = suiteOptions(suite, {})
    const changed = Object.entries(options).filter(([key, value]) => !isDeepStrictEqual(value, usual[key]))
    const given = asTyped(Object.fromEntries(changed))
    return isDeepStrictEqual(suiteOptions(suite, given), { ...usual, ...options }) ? given : options
  } catch {
    // Options of another version of the suite.
    return options
  }
}

/** Runs of old versions, and fields sent to a server as they are, may contain what must not be shown. */
function withoutSecrets(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const clean = (key: string, value: unknown): unknown => {
    if (key.split('.').some(isSecretName)) return undefined
    if (typeof value !== 'string' || !URL.canParse(value)) return value
    const url = new URL(value)
    return url.username === '' && url.password === '' ? value : Object.assign(url, { username: '', password: '' }).href
  }
  return JSON.parse(JSON.stringify(options, clean)) as Record<string, unknown>
}
