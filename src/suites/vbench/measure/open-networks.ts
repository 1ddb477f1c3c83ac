/** The networks in a user's folder, as `models.json` in it describes them. */
import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { didYouMean, fileErrorReason, sha256OfFile, shortHash, UserError } from '../../../suite.ts'
import type { Measure } from './types.ts'
import type { Device } from '../domain/devices.ts'
import { readJson, tryJson } from '../domain/json.ts'
import type { Output } from '../domain/results.ts'
import { type AestheticHead, aestheticMeasure, consistencyMeasure, musiqMeasure } from './networks/measures/looks.ts'
import { interpolationMeasure, raftMeasure } from './networks/measures/motion.ts'
import type { GritNetworks } from './networks/grit.ts'
import { colorMeasure, detectorMeasure, gritMeasure } from './networks/measures/objects.ts'
import { sceneMeasure } from './networks/measures/scenes.ts'
import type { About } from './networks/measures/shared.ts'
import { actionMeasure, styleMeasure, videoTextMeasure } from './networks/measures/words.ts'
import { type Network, openNetwork } from './networks/runtime.ts'
import { readTokenizer } from './networks/tokens.ts'
import { readWordPieces } from './networks/wordpiece.ts'

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
  'grit-features': 'grit-b-densecap-objectdet',
  'grit-boxes': 'grit-b-densecap-objectdet',
  'grit-objects': 'grit-b-densecap-objectdet',
  'grit-words': 'grit-b-densecap-objectdet',
  'tag2text-vision': 'tag2text-swin-14m',
  'tag2text-tags': 'tag2text-swin-14m',
  'tag2text-words': 'tag2text-swin-14m',
  /** Any other detector than the published one, which is GRiT. */
  detector: null,
} as const satisfies Record<string, string | null>
type RoleName = keyof typeof ROLES

const GRIT = ['grit-features', 'grit-boxes', 'grit-objects', 'grit-words'] as const satisfies readonly RoleName[]
const TAG2TEXT = ['tag2text-vision', 'tag2text-tags', 'tag2text-words'] as const satisfies readonly RoleName[]

/** What measures nothing alone. */
const NEEDS_BESIDE: Readonly<Partial<Record<RoleName, readonly RoleName[]>>> = {
  'clip-b32-text': ['clip-b32-vision'],
  'clip-l14-vision': ['aesthetic-head'],
  'aesthetic-head': ['clip-l14-vision'],
  'viclip-vision': ['viclip-text'],
  'viclip-text': ['viclip-vision'],
  ...Object.fromEntries(
    [GRIT, TAG2TEXT].flatMap((all) => all.map((role) => [role, all.filter((other) => other !== role)])),
  ),
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
  /** Of the network and of what stands beside it. */
  hash: string
  exact: boolean
}

export interface NetworkRequest {
  /** Only networks that measure one of these are loaded: together they take gigabytes. Default: all. */
  outputs?: ReadonlySet<Output>
  /** Default: `cpu`. */
  device?: Device
  log?: (line: string) => void
}

/** Bumped when preprocessing or rules change. */
const VERSION = 3

export async function openNetworks(
  folder: string,
  { outputs, device = 'cpu', log = () => {} }: NetworkRequest = {},
): Promise<Measure[]> {
  const described = await readDescription(folder)
  const opened = new Map<RoleName, Opened>()
  for (const [role, each] of described) {
    const path = inside(folder, each.file)
    const hashes = await Promise.all(
      [each.file, each.labels, each.tokenizer].flatMap((name) => (name === undefined ? [] : [hashOf(folder, name)])),
    )
    const exact = each.network === ROLES[role]
    const without = (NEEDS_BESIDE[role] ?? []).filter((other) => described.every(([name]) => name !== other))
    if (without.length > 0) log(`${role} is not used: it needs ${without.join(' and ')} beside it`)
    if (!exact) log(`${role}: ${each.network} is not the published network (${ROLES[role] ?? 'none'}): tier variant`)
    opened.set(role, { ...each, path, hash: shortHash(hashes), exact })
  }
  const loaded = new Map<RoleName, Promise<Network>>()
  /** Loaded once and shared. */
  const network = (role: RoleName): Promise<Network> => {
    const known = loaded.get(role) ?? openNetwork(opened.get(role)!.path, device)
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
  const gritNetworks = async (): Promise<GritNetworks> => ({
    features: await network('grit-features'),
    boxes: await network('grit-boxes'),
    objects: await network('grit-objects'),
    words: await network('grit-words'),
    vocabulary: await readWordPieces(beside('grit-words', 'tokenizer')),
  })
  const makers: readonly [
    roles: readonly RoleName[],
    measured: readonly Output[],
    make: (about: About) => Promise<Measure>,
  ][] = [
    [
      ['dino'],
      ['subject_consistency'],
      async (about) => consistencyMeasure('subject_consistency', await network('dino'), about),
    ],
    [
      ['clip-b32-vision'],
      ['background_consistency'],
      async (about) => consistencyMeasure('background_consistency', await network('clip-b32-vision'), about),
    ],
    [
      ['clip-b32-vision', 'clip-b32-text'],
      ['appearance_style'],
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
      ['aesthetic_quality'],
      async (about) =>
        aestheticMeasure(await network('clip-l14-vision'), await readHead(opened.get('aesthetic-head')!.path), about),
    ],
    [['musiq'], ['imaging_quality'], async (about) => musiqMeasure(await network('musiq'), about)],
    [['raft'], ['dynamic_degree', 'static_filter'], async (about) => raftMeasure(await network('raft'), about)],
    [['amt'], ['motion_smoothness'], async (about) => interpolationMeasure(await network('amt'), about)],
    [
      ['viclip-vision', 'viclip-text'],
      ['temporal_style', 'overall_consistency'],
      async (about) =>
        videoTextMeasure(
          await network('viclip-vision'),
          await network('viclip-text'),
          await tokenizer('viclip-text'),
          about,
        ),
    ],
    [['umt'], ['human_action'], async (about) => actionMeasure(await network('umt'), await labels('umt'), about)],
    [
      GRIT,
      ['object_class', 'multiple_objects', 'spatial_relationship'],
      async (about) => gritMeasure(await gritNetworks(), about),
    ],
    [GRIT, ['color'], async (about) => colorMeasure(await gritNetworks(), about)],
    [
      TAG2TEXT,
      ['scene'],
      async (about) =>
        sceneMeasure(
          {
            vision: await network('tag2text-vision'),
            tags: await network('tag2text-tags'),
            words: await network('tag2text-words'),
            vocabulary: await readWordPieces(beside('tag2text-tags', 'tokenizer')),
            labels: await labels('tag2text-vision'),
          },
          about,
        ),
    ],
    [
      ['detector'],
      ['object_class', 'multiple_objects', 'spatial_relationship'],
      async (about) => detectorMeasure(await network('detector'), await labels('detector'), about),
    ],
  ]
  const measures: Measure[] = []
  for (const [roles, measured, make] of makers) {
    const used = roles.flatMap((role) => opened.get(role) ?? [])
    if (used.length < roles.length || !(outputs === undefined || measured.some((output) => outputs.has(output))))
      continue
    measures.push(await make(aboutOf(used, device)))
  }
  return measures
}

function aboutOf(networks: readonly Opened[], device: Device): About {
  const title = [...new Set(networks.map((each) => each.network))].join(' + ')
  return {
    title: device === 'cpu' ? title : `${title} on ${device}`,
    tier: networks.every(({ exact }) => exact) ? 'exact' : 'variant',
    version: `network-${VERSION}/${networks.map(({ hash }) => hash).join('+')}`,
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

async function hashOf(folder: string, name: string): Promise<string> {
  return sha256OfFile(inside(folder, name)).catch((cause: unknown) => {
    if (cause instanceof UserError) throw cause
    throw new UserError(`models.json names ${name}, which cannot be read: ${fileErrorReason(cause)}.`, { cause })
  })
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
