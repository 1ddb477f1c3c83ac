/** Plays what the models of another tool replied, as a suite's importer reads it, so it can be scored with any profile. */
import { UserError } from '../base/errors.ts'
import { ModelError, NO_USAGE, type Role } from '../models/types.ts'
import { shortHash } from './fingerprint.ts'
import { IMPORTED_PREFIX } from './imported.ts'
import { suiteOptions } from './options.ts'
import { planRun, profileOf, type RunPlan, type RunRequest } from './plan.ts'
import type { Player, Players } from './players.ts'
import { openSource } from './source.ts'
import type { ImportedEpisode, ImportedReplies, SampleBase } from './suite.ts'

/** Source of an imported run whose samples come from the imported files. */
export const IMPORTED_SOURCE = 'imported'

export interface ImportRequest extends Omit<RunRequest, 'models' | 'opened' | 'limit' | 'sampleIds' | 'epochs'> {
  /** File or folder. */
  path: string
  /** Name of the model. Default: the one in the files. */
  model?: string | undefined
  /** Models for roles that the files have no replies of, such as a judge. */
  roles?: Readonly<Partial<Record<Exclude<Role, 'player'>, string>>> | undefined
}

export interface PlannedImport {
  plan: RunPlan
  /** One player per role that the files have replies of. */
  players: Players
  notes: readonly string[]
}

/** Reads the files and plans a run that plays their replies. */
export async function planImport(request: ImportRequest): Promise<PlannedImport> {
  const { suite, path, source } = request
  if (!suite.importer) throw new UserError(`${suite.name} cannot import files of other tools.`)
  const options = suiteOptions(suite, request.options ?? {})
  const profile = profileOf(suite, request.profile)
  const opened = source === undefined ? null : await openSource(suite, source, options, { seed: 0, profile })
  const imported = (await suite.importer.read(path, {
    options,
    profile,
    source: opened,
  })) as ImportedReplies<SampleBase>
  const { episodes } = imported
  if (episodes.length === 0) {
    throw new UserError(`${path} has no replies to import.`, { hint: `${suite.name} reads ${suite.importer.title}.` })
  }
  const bySample = new Map(episodes.map((episode) => [episode.sample.id, episode]))
  if (bySample.size < episodes.length) throw new Error(`The importer of ${suite.name} returned a sample twice.`)
  const id = `${IMPORTED_PREFIX}${request.model ?? imported.model ?? 'unknown'}`
  const roles = new Set(episodes.flatMap(({ replies }) => Object.keys(replies) as Role[]))
  const players = new Map([...roles].map((role) => [role, importedPlayer(id, bySample)]))
  const samples = episodes.map(({ sample }) => sample)
  const models = { ...request.roles, ...Object.fromEntries([...roles].map((role) => [role, id])), player: id }
  const plan = await planRun({
    ...request,
    models,
    ...(opened
      ? { sampleIds: [...bySample.keys()] }
      : {
          source: IMPORTED_SOURCE,
          opened: { fingerprint: `imported/${shortHash(samples)}`, count: samples.length, samples: () => samples },
        }),
  })
  return { plan, players, notes: [...(opened?.notes ?? []), ...(imported.notes ?? [])] }
}

/** Whether a run was imported by its suite: it can be scored and measured again, but not resumed. */
export function isImport(models: Readonly<Record<string, string>>): boolean {
  return models['player']?.startsWith(IMPORTED_PREFIX) === true
}

const CONCURRENCY = 16

/** Answers the requests of a role with its recorded replies, in order. */
function importedPlayer(id: string, episodes: ReadonlyMap<string, ImportedEpisode<SampleBase>>): Player {
  return {
    id,
    local: true,
    output: 'text',
    address: null,
    connections: () => CONCURRENCY,
    startEpisode(sample) {
      let asked = 0
      return ({ origin: { role } }) => {
        const text = episodes.get(sample.id)?.replies[role]?.[asked++]
        if (text === undefined) {
          const problem = `The imported files have no reply ${asked} of the ${role} for sample ${sample.id}.`
          return Promise.reject(new ModelError('bad-request', problem))
        }
        return Promise.resolve({ text, finish: 'stop', usage: NO_USAGE, ms: 0, cached: true })
      }
    },
    close: () => Promise.resolve(),
  }
}
