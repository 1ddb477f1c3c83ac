/** Hashes of samples, computed here or in another process. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { hashOf } from '../base/hash.ts'
import { siblingModule, processArguments } from '../base/thread.ts'
import { suiteOptions } from '../engine/options.ts'
import { defaultSource, openSource, selectedSamples } from '../engine/source.ts'
import type { AnySuite } from '../engine/suite.ts'

export interface SampleRequest {
  name: string
  loadFrom: string | null
  samples: number
  source?: string | undefined
  options?: Readonly<Record<string, unknown>> | undefined
  profile?: string | undefined
}

export async function hashSamples(
  suite: AnySuite,
  { samples, source, options = {}, profile }: SampleRequest,
): Promise<string[]> {
  const chosen = suiteOptions(suite, options)
  const run = { seed: 0, profile: profile ?? suite.profiles[0] }
  const opened = await openSource(suite, source ?? defaultSource(suite), chosen, run)
  const hashes = [opened.fingerprint]
  for await (const { sample } of selectedSamples(opened, { from: 0, to: samples, ids: null }))
    hashes.push(hashOf(sample))
  return hashes
}

export async function hashSamplesInOtherProcess(wanted: SampleRequest): Promise<string[]> {
  const script = siblingModule('./samples-process', import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, [...processArguments(script), JSON.stringify(wanted)])
  return JSON.parse(stdout) as string[]
}
