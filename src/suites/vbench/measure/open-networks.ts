/** The networks in a user's folder, as `models.json` in it describes them. */
import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { didYouMean, sha256OfFile, UserError, fileErrorReason } from '../../../suite.ts'
import type { Measure } from './types.ts'
import { readJson, tryJson } from '../domain/json.ts'
import { type AestheticHead, aestheticMeasure, consistencyMeasure, musiqMeasure } from './networks/measures/looks.ts'
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

interface Opened extends Entry {
  path: string
  hash: string
  exact: boolean
}

/** Bumped when preprocessing or rules change. */
const VERSION = 3

export async function openNetworks(folder: string, log: (line: string) => void): Promise<Measure[]> {
  const described = await readDescription(folder)
  const opened = new Map<RoleName, Opened>()
  for (const [role, each] of described) {
    const path = inside(folder, each.file)
    const hash = await sha256OfFile(path).catch((cause: unknown) => {
      throw new UserError(`models.json names ${each.file}, which cannot be read: ${fileErrorReason(cause)}.`, { cause })
    })
    const exact = each.network === ROLES[role]
    const without = (NEEDS_BESIDE[role] ?? []).filter((other) => described.every(([name]) => name !== other))
    if (without.length > 0) log(`${role} is not used: it needs ${without.join(' and ')} beside it`)
    if (!exact) log(`${role}: ${each.network} is not the published network (${ROLES[role] ?? 'none'}): tier variant`)
    opened.set(role, { ...each, path, hash, exact })
  }
  const loaded = new Map<RoleName, Promise<Network>>()
  /** Loaded once and shared. */
  const network = (role: RoleName): Promise<Network> => {
    const known = loaded.get(role) ?? openNetwork(opened.get(role)!.path)
    loaded.set(role, known)
    return known
  }
  const beside = (role: RoleName, what: 'labels' | 'tokenizer'): string => {
    const name = opened.get(role)![what]
    if (name === undefined) throw new UserError(`models.json names no ${what} for ${role}.`)
    return inside(folder, name)
  }
  const tokenizer = (role: RoleName) => readTokenizer(beside(role, 'tokenizer'))
  const labels = (role: RoleName) => readLabels(beside(role, 'labels'), role)
  const makers: readonly [roles: readonly RoleName[], make: (about: About) => Promise<Measure>][] = [
    [['dino'], async (about) => consistencyMeasure('subject_consistency', await network('dino'), about)],
    [
      ['clip-b32-vision'],
      async (about) => consistencyMeasure('background_consistency', await network('clip-b32-vision'), about),
    ],
    [
      ['clip-b32-vision', 'clip-b32-text'],
      async (about) =>
        styleMeasure(
          await network('clip-b32-vision'),
          await network('clip-b32-text'),
          await tokenizer('clip-b32-text'),
          about,
        ),
    ],
    [
      ['clip-l14-vision', 'aesthetic-head'],
      async (about) =>
        aestheticMeasure(await network('clip-l14-vision'), await readHead(opened.get('aesthetic-head')!.path), about),
    ],
    [['musiq'], async (about) => musiqMeasure(await network('musiq'), about)],
    [['raft'], async (about) => raftMeasure(await network('raft'), about)],
    [['amt'], async (about) => interpolationMeasure(await network('amt'), about)],
    [
      ['viclip-vision', 'viclip-text'],
      async (about) =>
        videoTextMeasure(
          await network('viclip-vision'),
          await network('viclip-text'),
          await tokenizer('viclip-text'),
          about,
        ),
    ],
    [['umt'], async (about) => actionMeasure(await network('umt'), await labels('umt'), about)],
    [['detector'], async (about) => detectorMeasure(await network('detector'), await labels('detector'), about)],
  ]
  const measures: Measure[] = []
  for (const [roles, make] of makers) {
    const used = roles.flatMap((role) => opened.get(role) ?? [])
    if (used.length === roles.length) measures.push(await make(aboutOf(used)))
  }
  return measures
}

function aboutOf(networks: readonly Opened[]): About {
  return {
    title: [...new Set(networks.map((each) => each.network))].join(' + '),
    tier: networks.every(({ exact }) => exact) ? 'exact' : 'variant',
    version: `network-${VERSION}/${networks.map(({ hash }) => hash.slice(0, 16)).join('+')}`,
  }
}

async function readDescription(folder: string): Promise<[RoleName, Entry][]> {
  const path = join(folder, 'models.json')
  const hint = 'It says which file is which network: {"dino": {"file": "dino.onnx", "network": "dino-vitb16"}}'
  const parsed = z.record(z.string(), entry).safeParse(await readJson(path, path, { hint }))
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
async function readLabels(path: string, role: RoleName): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UserError(`The labels of ${role} cannot be read: ${fileErrorReason(cause)}.`, { cause })
  })
  const labels: string[] = []
  for (const [i, line] of text.trimEnd().split(/\r?\n/).entries()) {
    const [name = '', number] = line.split('\t')
    labels[number === undefined ? i : Number(number)] = name.trim().toLowerCase()
  }
  return labels
}

async function readHead(path: string): Promise<AestheticHead> {
  const parsed = headFile.safeParse(tryJson(await readFile(path, 'utf8')))
  if (!parsed.success) throw new UserError(`${path} is not {"weight": [numbers], "bias": number}.`)
  return { weight: Float32Array.from(parsed.data.weight), bias: parsed.data.bias }
}
