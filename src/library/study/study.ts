/**
 * A study with people on one machine: samples assigned to participants who have a link each and no name. The file of a
 * study has the assignment; what was answered is in the runs of the participants, `human/STUDY.p1` and so on.
 */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf, UserError } from '../../base/errors.ts'
import { didYouMean } from '../../base/nearest.ts'
import { readRegularText } from '../../base/regular-file.ts'
import { planRun } from '../../engine/plan.ts'
import { HUMAN_PREFIX } from '../../engine/players.ts'
import type { SampleBase } from '../../engine/suite.ts'
import { selectedSamples } from '../../engine/source.ts'
import { makeFolder, withDiskErrors, writeAtomically } from '../../store/disk.ts'
import type { RunListing, Store } from '../../store/store.ts'
import type { LoadedSuite } from '../suites.ts'
import { assignSamples } from './assign.ts'

const NAME = /^[a-z0-9][a-z0-9-]{0,29}$/

/** Characters of samples in the file of a study; annotated videos can be large. */
const MOST_KEPT = 16_000_000

const participantSchema = z.object({
  /** `p1`, `p2`…: nothing else is known of them. */
  id: z.string().regex(/^p\d{1,4}$/),
  /** The secret of the participant's link. */
  key: z.string().regex(/^[\w-]{16,64}$/),
  samples: z.array(z.string()),
})
export type Participant = z.output<typeof participantSchema>

const studySchema = z.object({
  format: z.literal(1),
  name: z.string().regex(NAME),
  created: z.string(),
  suite: z.string(),
  source: z.string(),
  profile: z.string(),
  options: z.record(z.string(), z.unknown()),
  seed: z.int(),
  perSample: z.int(),
  /** Participants have notes, a sketch and a calculator. */
  tools: z.boolean().default(false),
  participants: z.array(participantSchema),
  /** The samples themselves, so that nobody waits until they are found again; absent if they are large. */
  kept: z
    .object({
      suiteVersion: z.int(),
      sourceFingerprint: z.string(),
      samples: z.array(
        z.looseObject({ id: z.string(), cluster: z.string(), labels: z.record(z.string(), z.string()) }),
      ),
    })
    .optional(),
})
export type Study = z.output<typeof studySchema>

export interface StudyRequest {
  name: string
  participants: number
  perSample: number
  seed?: number
  tools?: boolean
  source?: string | undefined
  profile?: string | undefined
  options?: Readonly<Record<string, unknown>>
  limit?: string | undefined
  sample?: number | undefined
  sampleIds?: readonly string[] | undefined
}

/** Assigns the samples and writes the file of the study. */
export async function createStudy(store: Store, { suite, module }: LoadedSuite, request: StudyRequest): Promise<Study> {
  const { name, participants, perSample, seed = 0 } = request
  if (!NAME.test(name))
    throw new UserError(`Invalid name of a study: "${name.slice(0, 60)}".`, {
      hint: 'Use up to 30 lowercase letters, digits and hyphens.',
    })
  if (suite.output !== 'text') throw new UserError(`${suite.name} does not support human play.`)
  const { source, limit, sample, sampleIds, profile, options = {} } = request
  const plan = await planRun({
    suite,
    suiteModule: module,
    models: { player: `${HUMAN_PREFIX}${name}` },
    options,
    source,
    profile,
    limit,
    sample,
    sampleIds,
    seed,
  })
  const ids: string[] = []
  const samples: (SampleBase & Record<string, unknown>)[] = []
  let length = 0
  for await (const { sample: each } of selectedSamples(plan.source, plan.selection)) {
    ids.push(each.id)
    if (length <= MOST_KEPT) length += JSON.stringify(each).length
    if (length <= MOST_KEPT) samples.push({ ...each })
    else samples.length = 0
  }
  const kept = { suiteVersion: suite.version, sourceFingerprint: plan.source.fingerprint, samples }
  const study: Study = {
    format: 1,
    name,
    created: new Date().toISOString(),
    suite: suite.name,
    source: plan.header.source,
    profile: plan.header.profile,
    options: { ...options },
    seed,
    perSample,
    tools: request.tools ?? false,
    ...(length <= MOST_KEPT ? { kept } : {}),
    participants: assignSamples(ids, { participants, perSample, seed }).map((own, i) => ({
      id: `p${i + 1}`,
      key: randomBytes(18).toString('base64url'),
      samples: own,
    })),
  }
  const folder = join(store.dir, 'studies')
  await withDiskErrors(folder, () => makeFolder(folder))
  if ((await studyNames(store)).includes(name))
    throw new UserError(`There is a study "${name}" already.`, { hint: 'Choose another name.' })
  await writeAtomically(fileOf(store, name), `${JSON.stringify(study)}\n`)
  return study
}

export async function readStudy(store: Store, name: string): Promise<Study> {
  const names = await studyNames(store)
  if (!names.includes(name))
    throw new UserError(`There is no study "${name.slice(0, 60)}".`, {
      hint: names.length === 0 ? 'Make one with `sightline study new`.' : didYouMean(name, names, 'Studies'),
    })
  const path = fileOf(store, name)
  const parsed = studySchema.safeParse(JSON.parse(await readRegularText(path)))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UserError(`${path} is not a study: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}.`)
}

export async function studyNames(store: Store): Promise<string[]> {
  const files = await readdir(join(store.dir, 'studies')).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  return files.flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : [])).sort()
}

/** The name that a participant plays under. */
export function playerOf({ name, tools }: Study, { id }: Participant): string {
  return `${name}.${id}${tools ? '.tools' : ''}`
}

/** The newest run of each participant who has started. */
export async function runsOfStudy(store: Store, study: Study): Promise<Map<string, RunListing>> {
  const byPlayer = new Map(study.participants.map((each) => [HUMAN_PREFIX + playerOf(study, each), each.id]))
  const found = new Map<string, RunListing>()
  for (const run of await store.listRuns()) {
    const { models, suite, source, created } = run.header
    // A study of the same name may have been deleted, and anyone may play under any name.
    if (suite !== study.suite || source !== study.source || created < study.created) continue
    const id = byPlayer.get(models['player'] ?? '')
    const known = id === undefined ? undefined : found.get(id)
    if (id !== undefined && (!known || known.header.created < created)) found.set(id, run)
  }
  return found
}

function fileOf(store: Store, name: string): string {
  return join(store.dir, 'studies', `${name}.json`)
}
