import { hashOf } from '../base/hash.ts'
import type { Fingerprint, RunHeader } from '../store/records.ts'

/** The header of a run as if it had been played with another profile. */
export function headerForProfile(header: RunHeader, profile: string): RunHeader {
  if (profile === header.profile) return header
  const parts = { ...header.fingerprint.parts, profile }
  return { ...header, profile, fingerprint: { parts, hash: shortHash(parts) } }
}

/** Model options that change how requests travel, and not what is asked. */
const HOW_SENT = /^(\w+\.)?(batch|upload)$/

const SHORT = 12

/** Short hash of a value: 12 hexadecimal digits of its SHA-256. */
export function shortHash(value: unknown): string {
  return hashOf(value).slice(0, SHORT)
}

/**
 * What must match for two runs to be comparable, as named parts, so `compare` can report which ones differ. Each option is
 * its own part, because a hash of all options could not show which one differs.
 */
export function fingerprintOf(
  header: Omit<
    RunHeader,
    'fingerprint' | 'id' | 'created' | 'versions' | 'git' | 'prices' | 'planned' | 'format' | 'suiteModule'
  >,
  prompts: Readonly<Record<string, string>>,
  isTraining = false,
): Fingerprint {
  const parts: Record<string, string> = {
    suite: header.suite,
    suiteVersion: String(header.suiteVersion),
    profile: header.profile,
    prompts: shortHash(prompts),
    source: header.sourceFingerprint,
    samples: [
      header.limit ?? (header.sample === undefined ? 'all' : `sample ${header.sample}`),
      ...(header.sampleIds ? [shortHash(header.sampleIds)] : []),
    ].join('/'),
    epochs: String(header.epochs),
    seed: String(header.seed),
    ...(isTraining && { split: 'training' }),
  }
  for (const [name, value] of Object.entries(header.options)) parts[`option.${name}`] = JSON.stringify(value) ?? 'unset'
  for (const [role, model] of Object.entries(header.models)) parts[`model.${role}`] = model
  for (const [name, value] of Object.entries(header.modelOptions)) {
    if (!HOW_SENT.test(name)) parts[`modelOption.${name}`] = JSON.stringify(value)
  }
  return { parts, hash: shortHash(parts) }
}
