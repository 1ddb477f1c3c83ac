/** The networks in a user's folder, as `models.json` in it describes them. */
import { stat } from 'node:fs/promises'
import { shortHash, UserError } from '../../../suite.ts'
import type { Between, Measure } from './types.ts'
import type { Device } from '../domain/devices.ts'
import type { Output } from '../domain/results.ts'
import {
  type Entry,
  hashOf,
  inside,
  readDescription,
  readHead,
  readLabels,
  readMapping,
  type RoleName,
  ROLES,
} from './networks/folder.ts'
import { imageMeasure } from './networks/measures/images.ts'
import { aestheticMeasure, consistencyMeasure, musiqMeasure } from './networks/measures/looks.ts'
import { interpolationMeasure, raftMeasure } from './networks/measures/motion.ts'
import type { GritNetworks } from './networks/grit.ts'
import { colorMeasure, detectorMeasure, gritMeasure } from './networks/measures/objects.ts'
import { sceneMeasure } from './networks/measures/scenes.ts'
import { type About, feature } from './networks/measures/shared.ts'
import { forDinoSquare, forDreamSim } from './networks/preprocess.ts'
import { actionMeasure, styleMeasure, videoTextMeasure } from './networks/measures/words.ts'
import { lazyNetwork, type Network } from './networks/runtime.ts'
import { readTokenizer } from './networks/tokens.ts'
import { readWordPieces } from './networks/wordpiece.ts'

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
  /** For VBench-Long, whose consistency needs more networks. */
  long?: boolean
  log?: (line: string) => void
}

/** Bumped when preprocessing or rules change. */
const VERSION = 4

export async function openNetworks(
  folder: string,
  { outputs, device = 'cpu', long = false, log = () => {} }: NetworkRequest = {},
): Promise<Measure[]> {
  const described = await readDescription(folder)
  const opened = new Map<RoleName, Opened>()
  for (const [role, each] of described) {
    const path = inside(folder, each.file)
    const hashes = await Promise.all(
      [each.file, each.labels, each.tokenizer, each.mapping].flatMap((name) =>
        name === undefined ? [] : [hashOf(folder, name)],
      ),
    )
    const exact = each.network === ROLES[role]
    const without = (NEEDS_BESIDE[role] ?? []).filter((other) => described.every(([name]) => name !== other))
    if (without.length > 0) log(`${role} is not used: it needs ${without.join(' and ')} beside it`)
    if (!exact) log(`${role}: ${each.network} is not the published network (${ROLES[role] ?? 'none'}): tier variant`)
    opened.set(role, { ...each, path, hash: shortHash(hashes), exact })
  }
  const networks = new Map<RoleName, ReturnType<typeof lazyNetwork>>()
  /** Loaded when it is first needed, once, and shared. */
  const network = (role: RoleName): Network => {
    const known = networks.get(role) ?? lazyNetwork(opened.get(role)!.path, device)
    networks.set(role, known)
    return known
  }
  const beside = (role: RoleName, what: 'labels' | 'tokenizer' | 'mapping'): string => {
    const name = opened.get(role)![what]
    if (name === undefined) throw new UserError(`models.json names no ${what} for ${role}.`)
    return inside(folder, name)
  }
  const tokenizer = (role: RoleName) => readTokenizer(beside(role, 'tokenizer'))
  const labels = (role: RoleName) => readLabels(beside(role, 'labels'), role)
  const gritNetworks = async (): Promise<GritNetworks> => ({
    features: network('grit-features'),
    boxes: network('grit-boxes'),
    objects: network('grit-objects'),
    words: network('grit-words'),
    vocabulary: await readWordPieces(beside('grit-words', 'tokenizer')),
  })
  /** How VBench-Long compares first frames of clips, if there is a network for it. */
  const between = async (role: 'dinov2' | 'dreamsim'): Promise<{ between?: Between }> => {
    const found = opened.get(role)
    if (!long || found === undefined) return {}
    const shown = role === 'dinov2' ? forDinoSquare : forDreamSim
    const mapping = await readMapping(beside(role, 'mapping'))
    const about = { title: found.network, version: found.hash, mapping }
    return { between: { ...about, feature: (bitmap) => feature(network(role), shown(bitmap)) } }
  }
  const makers: readonly [
    roles: readonly RoleName[],
    measured: readonly Output[],
    make: (about: About) => Measure | Promise<Measure>,
  ][] = [
    [
      ['dino'],
      ['subject_consistency'],
      async (about) => ({
        ...consistencyMeasure('subject_consistency', network('dino'), about),
        ...(await between('dinov2')),
      }),
    ],
    [
      ['clip-b32-vision'],
      ['background_consistency'],
      async (about) => ({
        ...consistencyMeasure('background_consistency', network('clip-b32-vision'), about),
        ...(await between('dreamsim')),
      }),
    ],
    [
      ['clip-b32-vision', 'clip-b32-text'],
      ['appearance_style'],
      async (about) =>
        styleMeasure(network('clip-b32-vision'), network('clip-b32-text'), await tokenizer('clip-b32-text'), about),
    ],
    [
      ['clip-l14-vision', 'aesthetic-head'],
      ['aesthetic_quality'],
      async (about) =>
        aestheticMeasure(network('clip-l14-vision'), await readHead(opened.get('aesthetic-head')!.path), about),
    ],
    [['dino'], ['i2v_subject'], (about) => imageMeasure('i2v_subject', network('dino'), about)],
    [['dreamsim'], ['i2v_background'], (about) => imageMeasure('i2v_background', network('dreamsim'), about)],
    [['musiq'], ['imaging_quality'], async (about) => musiqMeasure(network('musiq'), about)],
    [['raft'], ['dynamic_degree', 'static_filter'], async (about) => raftMeasure(network('raft'), about)],
    [['amt'], ['motion_smoothness'], async (about) => interpolationMeasure(network('amt'), about)],
    [
      ['viclip-vision', 'viclip-text'],
      ['temporal_style', 'overall_consistency'],
      async (about) =>
        videoTextMeasure(network('viclip-vision'), network('viclip-text'), await tokenizer('viclip-text'), about),
    ],
    [['umt'], ['human_action'], async (about) => actionMeasure(network('umt'), await labels('umt'), about)],
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
            vision: network('tag2text-vision'),
            tags: network('tag2text-tags'),
            words: network('tag2text-words'),
            vocabulary: await readWordPieces(beside('tag2text-tags', 'tokenizer')),
            labels: await labels('tag2text-vision'),
          },
          about,
        ),
    ],
    [
      ['detector'],
      ['object_class', 'multiple_objects', 'spatial_relationship'],
      async (about) => detectorMeasure(network('detector'), await labels('detector'), about),
    ],
  ]
  const measures: Measure[] = []
  for (const [roles, measured, make] of makers) {
    const used = roles.flatMap((role) => opened.get(role) ?? [])
    if (used.length < roles.length || !(outputs === undefined || measured.some((output) => outputs.has(output))))
      continue
    measures.push(await make(aboutOf(used, device)))
  }
  // The smallest is loaded now: what is wrong with ONNX Runtime or the device is said before any video is opened.
  const sizes = await Promise.all(
    [...networks].map(async ([role, each]) => ({ each, bytes: (await stat(opened.get(role)!.path)).size })),
  )
  await sizes.toSorted((a, b) => a.bytes - b.bytes)[0]?.each.load()
  return measures
}

function aboutOf(networks: readonly Opened[], device: Device): About {
  const title = [...new Set(networks.map((each) => each.network))].join(' + ')
  const isExact = networks.every(({ exact }) => exact)
  const version = `network-${VERSION}/${networks.map(({ hash }) => hash).join('+')}`
  return {
    title: device === 'cpu' ? title : `${title} on ${device}`,
    tier: isExact ? 'exact' : 'variant',
    // A corrected name in models.json changes the tier of all values of the same file.
    version: isExact ? version : `${version}/${title}`,
  }
}
