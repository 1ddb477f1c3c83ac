/** The networks in a user's folder, as `models.json` in it describes them. */
import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { didYouMean, sha256OfFile, UserError, whyUnreadable } from '../../../suite.ts'
import type { Tier } from '../domain/results.ts'
import type { Measure } from './types.ts'
import { tryJson } from '../domain/json.ts'
import { aestheticMeasure, consistencyMeasure, musiqMeasure } from './networks/measures/looks.ts'
import { interpolationMeasure, raftMeasure } from './networks/measures/motion.ts'
import { detectorMeasure } from './networks/measures/objects.ts'
import type { About } from './networks/measures/shared.ts'
import { actionMeasure, styleMeasure, videoTextMeasure } from './networks/measures/words.ts'
import { type Network, openNetwork } from './networks/runtime.ts'
import { readTokenizer } from './networks/tokens.ts'

/** What a network is for, and the name of the published one: with it a value is exact, with any other a variant. */
export const ROLES = {
  dino: 'dino-vitb16',
  'clip-b32-vision': 'clip-vit-b32',
  'clip-b32-text': 'clip-vit-b32',
  'clip-l14-vision': 'clip-vit-l14',
  'aesthetic-head': 'sa_0_4_vit_l_14_linear',
  musiq: 'musiq-spaq',
  raft: 'raft-things',
  amt: 'amt-s',
  'viclip-vision': 'viclip-l14-internvid-10m-flt',
  'viclip-text': 'viclip-l14-internvid-10m-flt',
  umt: 'umt-vit-l16-k400',
  /** The published detector cannot be run here: whatever stands here is a variant. */
  detector: null,
} as const satisfies Record<string, string | null>
type RoleName = keyof typeof ROLES

/** What measures nothing alone. */
const NEEDS_BESIDE: Readonly<Partial<Record<RoleName, readonly RoleName[]>>> = {
  'clip-b32-text': ['clip-b32-vision'],
  'clip-l14-vision': ['aesthetic-head'],
  'aesthetic-head': ['clip-l14-vision'],
  'viclip-vision': ['viclip-text'],
  'viclip-text': ['viclip-vision'],
}

const entry = z.object({
  file: z.string().describe('ONNX file in the folder; for aesthetic-head a JSON with weight and bias'),
  network: z.string().describe('which network it is'),
  labels: z.string().optional().describe('text file with one class a line'),
  tokenizer: z.string().optional().describe('tokenizer.json of a text network'),
})
type Entry = z.infer<typeof entry>
const headFile = z.object({ weight: z.array(z.number()), bias: z.number() })

interface Opened {
  entry: Entry
  path: string
  hash: string
  exact: boolean
}

export async function openNetworks(folder: string, log: (line: string) => void): Promise<Measure[]> {
  const described = await readDescription(folder)
  const opened = new Map<RoleName, Opened>()
  for (const [role, each] of described) {
    const path = inside(folder, each.file)
    const hash = await sha256OfFile(path).catch((cause: unknown) => {
      throw new UserError(`models.json names ${each.file}, which cannot be read: ${whyUnreadable(cause)}.`, { cause })
    })
    const exact = each.network === ROLES[role]
    const without = (NEEDS_BESIDE[role] ?? []).filter((other) => described.every(([name]) => name !== other))
    if (without.length > 0) log(`${role} is not used: it needs ${without.join(' and ')} beside it`)
    if (!exact) log(`${role}: ${each.network} is not the published network (${ROLES[role] ?? 'none'}): tier variant`)
    opened.set(role, { entry: each, path, hash, exact })
  }
  return new Folder(folder, opened).measures()
}

async function readDescription(folder: string): Promise<[RoleName, Entry][]> {
  const path = join(folder, 'models.json')
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new UserError(`${path} cannot be read: ${whyUnreadable(cause)}.`, {
      hint: 'It says which file is which network: {"dino": {"file": "dino.onnx", "network": "dino-vitb16"}}',
      cause,
    })
  }
  const parsed = z.record(z.string(), entry).safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new UserError(`${path}: ${issue.path.join('.')}: ${issue.message}`)
  }
  return Object.entries(parsed.data).map(([role, each]) => {
    if (isRole(role)) return [role, each]
    throw new UserError(`${path}: there is no role "${role}".`, { hint: didYouMean(role, Object.keys(ROLES), 'Roles') })
  })
}

function isRole(name: string): name is RoleName {
  return Object.hasOwn(ROLES, name)
}

/** Names in models.json stay in the folder. */
function inside(folder: string, name: string): string {
  const path = resolve(folder, name)
  if (path.startsWith(resolve(folder) + sep)) return path
  throw new UserError(`models.json names ${name}, which is outside of ${folder}.`)
}

/** One class a line, or `class<tab>number` as the published list of actions has it. */
function labelsIn(text: string): string[] {
  const labels: string[] = []
  for (const [i, line] of text.trimEnd().split(/\r?\n/).entries()) {
    const [name = '', number] = line.split('\t')
    labels[number === undefined ? i : Number(number)] = name.trim().toLowerCase()
  }
  return labels
}

/** Bumped when preprocessing or rules change. */
const VERSION = 2

class Folder {
  readonly #folder: string
  readonly #opened: ReadonlyMap<RoleName, Opened>
  readonly #networks = new Map<RoleName, Promise<Network>>()

  constructor(folder: string, opened: ReadonlyMap<RoleName, Opened>) {
    this.#folder = folder
    this.#opened = opened
  }

  async measures(): Promise<Measure[]> {
    const measures: Measure[] = []
    const has = (...roles: RoleName[]) => roles.every((role) => this.#opened.has(role))
    if (has('dino')) {
      measures.push(consistencyMeasure('subject_consistency', await this.#network('dino'), this.#about('dino')))
    }
    if (has('clip-b32-vision')) {
      const about = this.#about('clip-b32-vision')
      measures.push(consistencyMeasure('background_consistency', await this.#network('clip-b32-vision'), about))
    }
    if (has('clip-b32-vision', 'clip-b32-text')) {
      measures.push(
        styleMeasure(
          await this.#network('clip-b32-vision'),
          await this.#network('clip-b32-text'),
          await readTokenizer(this.#beside('clip-b32-text', 'tokenizer')),
          this.#about('clip-b32-vision', 'clip-b32-text'),
        ),
      )
    }
    if (has('clip-l14-vision', 'aesthetic-head')) {
      const about = this.#about('clip-l14-vision', 'aesthetic-head')
      measures.push(aestheticMeasure(await this.#network('clip-l14-vision'), await this.#head(), about))
    }
    if (has('musiq')) measures.push(musiqMeasure(await this.#network('musiq'), this.#about('musiq')))
    if (has('raft')) measures.push(raftMeasure(await this.#network('raft'), this.#about('raft')))
    if (has('amt')) measures.push(interpolationMeasure(await this.#network('amt'), this.#about('amt')))
    if (has('viclip-vision', 'viclip-text')) {
      measures.push(
        videoTextMeasure(
          await this.#network('viclip-vision'),
          await this.#network('viclip-text'),
          await readTokenizer(this.#beside('viclip-text', 'tokenizer')),
          this.#about('viclip-vision', 'viclip-text'),
        ),
      )
    }
    if (has('umt')) {
      measures.push(actionMeasure(await this.#network('umt'), await this.#labels('umt'), this.#about('umt')))
    }
    if (has('detector')) {
      const about = this.#about('detector')
      measures.push(detectorMeasure(await this.#network('detector'), await this.#labels('detector'), about))
    }
    return measures
  }

  #of(role: RoleName): Opened {
    return this.#opened.get(role)!
  }

  /** Loaded once, whoever needs it. */
  #network(role: RoleName): Promise<Network> {
    let network = this.#networks.get(role)
    if (!network) this.#networks.set(role, (network = openNetwork(this.#of(role).path)))
    return network
  }

  #about(...roles: RoleName[]): About {
    const all = roles.map((role) => this.#of(role))
    const tier: Tier = all.every(({ exact }) => exact) ? 'exact' : 'variant'
    return {
      title: [...new Set(all.map((each) => each.entry.network))].join(' + '),
      tier,
      version: `network-${VERSION}/${all.map(({ hash }) => hash.slice(0, 16)).join('+')}`,
    }
  }

  #beside(role: RoleName, what: 'labels' | 'tokenizer'): string {
    const name = this.#of(role).entry[what]
    if (name === undefined) throw new UserError(`models.json names no ${what} for ${role}.`)
    return inside(this.#folder, name)
  }

  async #labels(role: RoleName): Promise<string[]> {
    const path = this.#beside(role, 'labels')
    const text = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw new UserError(`The labels of ${role} cannot be read: ${whyUnreadable(cause)}.`, { cause })
    })
    return labelsIn(text)
  }

  async #head(): Promise<{ weight: Float32Array; bias: number }> {
    const { path } = this.#of('aesthetic-head')
    const parsed = headFile.safeParse(tryJson(await readFile(path, 'utf8')))
    if (!parsed.success) throw new UserError(`${path} is not {"weight": [numbers], "bias": number}.`)
    return { weight: Float32Array.from(parsed.data.weight), bias: parsed.data.bias }
  }
}
