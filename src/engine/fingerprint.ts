import { hashOf } from '../base/hash.ts'
import type { Fingerprint, RunHeader } from '../store/records.ts'

/** The header of a run that is scored under another profile than it was played with. */
export function headerUnder(header: RunHeader, profile: string): RunHeader {
  if (profile === header.profile) return header
  const parts = { ...header.fingerprint.parts, profile }
  return { ...header, profile, fingerprint: { parts, hash: shortHash(parts) } }
}

const SHORT = 12

/** Hash of a value, short enough to read aloud. */
export function shortHash(value: unknown): string {
  return hashOf(value).slice(0, SHORT)
}

/**
 * What must be equal for two numbers to be comparable, part by part, so that `compare` can say which part differs.
 * Options stand one by one: a hash of all of them could only say that something is different.
 */
export function fingerprintOf(
  header: Omit<
    RunHeader,
    'fingerprint' | 'id' | 'created' | 'versions' | 'git' | 'prices' | 'planned' | 'format' | 'suiteModule'
  >,
  prompts: Readonly<Record<string, string>>,
): Fingerprint {
  const parts: Record<string, string> = {
    suite: header.suite,
    suiteVersion: String(header.suiteVersion),
    profile: header.profile,
    prompts: shortHash(prompts),
    source: header.sourceFingerprint,
    samples: [header.limit ?? 'all', ...(header.sampleIds ? [shortHash(header.sampleIds)] : [])].join('/'),
    epochs: String(header.epochs),
    seed: String(header.seed),
  }
  for (const [name, value] of Object.entries(header.options)) parts[`option.${name}`] = JSON.stringify(value) ?? 'unset'
  for (const [role, model] of Object.entries(header.models)) parts[`model.${role}`] = model
  for (const [name, value] of Object.entries(header.modelOptions)) parts[`modelOption.${name}`] = JSON.stringify(value)
  return { parts, hash: shortHash(parts) }
}
