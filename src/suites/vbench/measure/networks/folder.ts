/** A folder of networks: what its `models.json` names, and the files beside the networks. */
import { readFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { didYouMean, fileErrorReason, sha256OfFile, UserError } from '../../../../suite.ts'
import { readJson, tryJson } from '../../domain/json.ts'
import type { Mapping } from '../long/clips.ts'
import type { AestheticHead } from './measures/looks.ts'

/** What a network is for, and the name of the published one: with it a value is exact, with any other a variant. */
export const ROLES = {
  dino: 'dino-vitb16',
  'clip-b32-vision': 'clip-vit-b32',
  'clip-b32-text': 'clip-vit-b32',
  'clip-l14-vision': 'clip-vit-l14',
  'aesthetic-head': 'sa_0_4_vit_l_14_linear',
  dinov2: 'dinov2-vitb14',
  dreamsim: 'dreamsim-ensemble',
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
export type RoleName = keyof typeof ROLES

const entry = z.object({
  file: z.string().describe('ONNX file in the folder; for aesthetic-head a JSON with weight and bias'),
  network: z.string().describe('which network it is'),
  labels: z.string().optional().describe('text file with one class a line'),
  tokenizer: z.string().optional().describe('tokenizer.json of a text network'),
  mapping: z.string().optional().describe('of VBench-Long: JSON of [likeness, mapped] in rising order'),
})
export type Entry = z.infer<typeof entry>
const headFile = z.object({ weight: z.array(z.number()), bias: z.number() })

export async function readDescription(folder: string): Promise<[RoleName, Entry][]> {
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

export async function hashOf(folder: string, name: string): Promise<string> {
  return sha256OfFile(inside(folder, name)).catch((cause: unknown) => {
    if (cause instanceof UserError) throw cause
    throw new UserError(`models.json names ${name}, which cannot be read: ${fileErrorReason(cause)}.`, { cause })
  })
}

/** Names in models.json stay in the folder. */
export function inside(folder: string, name: string): string {
  const path = resolve(folder, name)
  if (path.startsWith(resolve(folder) + sep)) return path
  throw new UserError(`models.json names ${name}, which is outside of ${folder}.`)
}

/** One class a line, or `class<tab>number` as the published list of actions has it. */
export async function readLabels(path: string, role: RoleName): Promise<string[]> {
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

export async function readHead(path: string): Promise<AestheticHead> {
  const parsed = headFile.safeParse(tryJson(await readFile(path, 'utf8')))
  if (!parsed.success) throw new UserError(`${path} is not {"weight": [numbers], "bias": number}.`)
  return { weight: Float32Array.from(parsed.data.weight), bias: parsed.data.bias }
}

const mappingFile = z.array(z.tuple([z.number(), z.number()])).min(1)

/** How likeness of first frames is mapped in VBench-Long. */
export async function readMapping(path: string): Promise<Mapping> {
  const parsed = mappingFile.safeParse(tryJson(await readFile(path, 'utf8')))
  const isRising = parsed.data?.every(([step], i, all) => i === 0 || all[i - 1]![0] < step)
  if (!parsed.success || !isRising) throw new UserError(`${path} is not a list of [likeness, mapped] in rising order.`)
  return parsed.data
}
