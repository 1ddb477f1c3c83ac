/** Plays samples for their conversations: nothing is stored, and pictures stay in memory. */
import { sha256 } from '../base/hash.ts'
import { BASELINE_THOUGHT } from '../base/baseline.ts'
import { MissingAssetError, UserError } from '../base/errors.ts'
import { DataFiles } from '../engine/data-files.ts'
import { type EpisodeContext, playEpisode } from '../engine/episode.ts'
import { baselinePlayer, type Player } from '../engine/players.ts'
import type { AnySuite, SampleBase } from '../engine/suite.ts'
import type { Asked, PlayedWell } from './formats/example.ts'
import { rewardOf } from './reward.ts'

export interface PlayRules {
  suite: AnySuite
  /** As `suiteOptions` returns them. */
  options: Readonly<Record<string, unknown>>
  profile: string
  seed: number
  roots: Readonly<Record<string, string>>
  /** Have the suite say why, where it can. */
  reasons: boolean
}

/** Raise it when replies change, by this code or by what suites explain: a folder has replies of one kind. */
export const REPLIES_VERSION = 1

/** All questions about a scene show the same pictures. */
const hashes = new WeakMap<Uint8Array, string>()

function hashOnce(bytes: Uint8Array): string {
  const hash = hashes.get(bytes) ?? sha256(bytes)
  hashes.set(bytes, hash)
  return hash
}

/** @param media receives all pictures of the episode, by hash */
export async function playForExamples(
  rules: PlayRules,
  sample: SampleBase,
  baseline: string,
  media: Map<string, Uint8Array>,
): Promise<PlayedWell> {
  const { suite, options, profile, seed, roots, reasons } = rules
  const asked: Asked[] = []
  const inner = baselinePlayer(suite, baseline)
  const player: Player = {
    ...inner,
    startEpisode(...args) {
      const respond = inner.startEpisode(...args)
      return async (request, signal) => {
        const reply = await respond(request, signal)
        const text = reasons ? (suite.explain?.(sample, reply.text, { profile, options }) ?? reply.text) : reply.text
        const learned = text.replaceAll(BASELINE_THOUGHT, '')
        asked.push({ messages: [...request.messages], reply: learned })
        return { ...reply, text: learned }
      }
    },
  }
  const { signal } = new AbortController()
  const context: EpisodeContext = {
    suite,
    options,
    profile,
    seed,
    players: new Map([['player', player]]),
    files: new DataFiles(roots),
    isUnrecorded: true,
    signal,
    draining: signal,
    keep: async (bytes, type, size) => {
      const ref = { sha256: hashOnce(bytes), type, bytes: bytes.length, ...size }
      media.set(ref.sha256, bytes)
      return ref
    },
    fileOf() {
      throw new UserError(`${suite.name} makes no data with these options: it needs stored files.`)
    },
    beforeRequest: () => {},
    onUsage: () => {},
  }
  const { line } = await playEpisode({ index: 0, sample, epoch: 0 }, context)
  if (line.status === 'missing_asset') throw new MissingAssetError(line.error ?? sample.id)
  return { asked, reward: rewardOf(suite, line, { profile, options }) }
}
