/** Turns a request into the plan of a run, without writing or sending anything. */
import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { Role } from '../models/types.ts'
import type { RunHeader, SuiteModule } from '../store/records.ts'
import { parseBudget } from './budget.ts'
import { drawFrom } from './draw.ts'
import { fingerprintOf, shortHash } from './fingerprint.ts'
import { suiteOptions } from './options.ts'
import { BASELINE_PREFIX } from './players.ts'
import { countSelected, defaultSource, openSource, parseLimit, type Selection } from './source.ts'
import { isTraining } from './split.ts'
import type { AnySuite, OpenedSource, RoleUse, SampleBase } from './suite.ts'

/** The settings of a run. Everything but suite and player has a default. */
export interface RunRequest {
  suite: AnySuite
  /** Where the suite was loaded from; undefined for bundled suites. */
  suiteModule?: SuiteModule | undefined
  models: Readonly<Partial<Record<Role, string>>> & { player: string }
  modelOptions?: Readonly<Record<string, unknown>> | undefined
  options?: Readonly<Record<string, unknown>> | undefined
  source?: string | undefined
  /** Samples that are not in a source of the suite; `source` is then only a name. */
  opened?: OpenedSource<SampleBase> | undefined
  profile?: string | undefined
  limit?: string | undefined
  /** Number of samples to draw, spread over clusters and labels; not together with `limit` or `sampleIds`. */
  sample?: number | undefined
  sampleIds?: readonly string[] | undefined
  /** Default: 1. */
  epochs?: number | undefined
  /** Default: 0. */
  seed?: number | undefined
  budget?: string | undefined
  timeLimitSeconds?: number | undefined
}

export interface RunPlan {
  suite: AnySuite
  options: unknown
  source: OpenedSource<SampleBase>
  selection: Selection
  /** `run.json`, except for fields that are only known when the run starts. */
  header: Omit<RunHeader, 'id' | 'created' | 'versions' | 'git' | 'prices'>
}

/** Hash of the source files, which workers compare in addition to the fingerprint. */
export async function sourceFilesHash({ source }: RunPlan): Promise<string | null> {
  return (await source.files?.()) ?? null
}

/**
 * Validates options, roles, source and sample ids, and plans the run.
 *
 * @param mayBeEmpty for a run that is compared first with what it was: that its source has changed says more
 */
export async function planRun(request: RunRequest, mayBeEmpty = false): Promise<RunPlan> {
  const { suite, models } = request
  const profile = profileOf(suite, request.profile)
  const options = suiteOptions(suite, request.options ?? {})
  checkRoles(suite, models, options)
  if (request.budget !== undefined) parseBudget(request.budget)
  const epochs = atLeastOne('--epochs', request.epochs ?? 1)
  const seed = request.seed ?? 0
  const sourceText = request.source ?? defaultSource(suite)
  const source = request.opened ?? (await openSource(suite, sourceText, options, { seed, profile }))
  const limit = request.limit ?? null
  const sampleIds = request.sampleIds && request.sampleIds.length > 0 ? [...request.sampleIds].sort() : null
  const sample = request.sample === undefined ? undefined : atLeastOne('--sample', request.sample)
  if (sample !== undefined && (limit !== null || sampleIds !== null)) {
    throw new UserError(`--sample cannot be used together with ${limit === null ? '--sample-id' : '--limit'}.`, {
      hint: '--limit takes the first samples, --sample draws from all of them, --sample-id names them.',
    })
  }
  const selection: Selection = {
    ...parseLimit(limit),
    ids: sampleIds && new Set(sampleIds),
    ...(sample !== undefined && { drawn: await drawFrom(source, sample, seed) }),
  }
  const selected = await countSelected(source, selection)
  if (selected === 0 && !mayBeEmpty) {
    const has = source.count === null ? 'has none that the options allow' : `has ${source.count}`
    throw new UserError(`No samples to play: ${sourceText} ${has} and --limit is ${limit ?? 'not set'}.`, {
      ...(source.count === null && { hint: `Options that leave samples out: sightline list ${suite.name}` }),
    })
  }
  const described = {
    suite: suite.name,
    suiteVersion: suite.version,
    ...(request.suiteModule === undefined ? {} : { suiteModule: request.suiteModule }),
    models: Object.fromEntries(Object.entries(models).filter(([, model]) => model !== undefined)) as Record<
      string,
      string
    >,
    modelOptions: request.modelOptions ?? {},
    profile,
    options,
    source: sourceText,
    sourceFingerprint: source.fingerprint,
    limit,
    ...(sample !== undefined && { sample }),
    sampleIds,
    epochs,
    seed,
    budget: request.budget ?? null,
    timeLimitSeconds: request.timeLimitSeconds ?? null,
  }
  return {
    suite,
    options,
    source,
    selection,
    header: {
      format: 1,
      ...described,
      planned: selected * epochs,
      fingerprint: fingerprintOf(described, suite.prompts(options), isTraining(suite, sourceText, seed)),
    },
  }
}

/** The plan of a recorded run. Its samples are in the log, so no source is opened. */
export function planRecorded(suite: AnySuite, header: RunHeader): RunPlan {
  // Parts that affected playing are kept; options and models for measuring may have changed.
  const { prompts: _, ...now } = fingerprintOf(header, {}).parts
  const parts = { ...header.fingerprint.parts, ...now }
  return {
    suite,
    options: header.options,
    source: { fingerprint: header.sourceFingerprint, count: null, samples: () => [] },
    selection: { from: 0, to: Infinity, ids: null },
    header: { ...header, fingerprint: { parts, hash: shortHash(parts) } },
  }
}

/** The fingerprint parts that must match to rescore a run: those that determine its samples. */
const SAMPLE_PARTS = /^(suite|source|samples|option\..*)$/

/** The request that a run was started with. */
export function requestFromHeader(suite: AnySuite, header: RunHeader): RunRequest {
  return {
    suite,
    suiteModule: header.suiteModule,
    models: header.models as RunRequest['models'],
    modelOptions: header.modelOptions,
    options: header.options,
    source: header.source,
    profile: header.profile,
    epochs: header.epochs,
    seed: header.seed,
    ...(header.limit === null ? {} : { limit: header.limit }),
    ...(header.sample !== undefined && { sample: header.sample }),
    ...(header.sampleIds === null ? {} : { sampleIds: header.sampleIds }),
    ...(header.budget === null ? {} : { budget: header.budget }),
    ...(header.timeLimitSeconds === null ? {} : { timeLimitSeconds: header.timeLimitSeconds }),
  }
}

/** Fingerprint parts that differ from those of a run, with both values. */
export function changedParts(
  plan: Pick<RunPlan, 'header'>,
  header: RunHeader,
): [part: string, now: string, then: string | undefined][] {
  const then = header.fingerprint.parts
  // An option added since then has its default, which is what was played.
  const isNew = (part: string): boolean => part.startsWith('option.') && then[part] === undefined
  return Object.entries(plan.header.fingerprint.parts)
    .filter(([part, value]) => then[part] !== value && !isNew(part))
    .map(([part, value]) => [part, value, then[part]])
}

/**
 * The plan of an existing run. To `resume` it, the whole fingerprint must match; to `score` it, only its samples. The
 * source may have moved if the samples are the same.
 */
export async function replan(
  suite: AnySuite,
  header: RunHeader,
  purpose: 'resume' | 'score',
  source: string = header.source,
  opened?: OpenedSource<SampleBase>,
): Promise<RunPlan> {
  const plan = await planRun({ ...requestFromHeader(suite, header), source, opened }, true)
  const changed = changedParts(plan, header).filter(([part]) => purpose === 'resume' || SAMPLE_PARTS.test(part))
  if (changed.length > 0) {
    const list = changed.map(([part, now, then]) => `${part} (then ${then ?? 'unset'}, now ${now})`).join(', ')
    throw new UserError(
      `Cannot ${purpose === 'resume' ? 'resume' : 'rescore'} run ${header.id}, because this has changed since it started: ${list}.`,
      {
        hint: 'Start a new run, or use the version of Sightline that created this one.',
      },
    )
  }
  return plan
}

/** The given profile, or the default of the suite. */
export function profileOf(suite: AnySuite, given: string | undefined): string {
  if (given === undefined) return suite.profiles[0]
  if (suite.profiles.includes(given)) return given
  throw new UserError(`${suite.name} has no profile "${given}".`, {
    hint: didYouMean(given, suite.profiles, 'Profiles'),
  })
}

function checkRoles(suite: AnySuite, models: RunRequest['models'], options: unknown): void {
  if (!models.player) {
    throw new UserError(`No model given for ${suite.name}.`, { hint: 'Use --model provider/name.' })
  }
  for (const [role, use] of Object.entries(suite.roles) as [Role, RoleUse<unknown>][]) {
    if (models[role] || use.needed?.(options) !== true) continue
    throw new UserError(`No model given for the role "${role}", which ${suite.name} needs with these options.`, {
      hint: `Use --model-role ${role}=provider/name.`,
    })
  }
  for (const [role, model] of Object.entries(models) as [Role, string | undefined][]) {
    if (role === 'player') continue
    const use = Object.hasOwn(suite.roles, role) ? suite.roles[role] : undefined
    if (!use) {
      throw new UserError(`${suite.name} does not use the role "${role}".`, {
        hint: `Available roles: ${['player', ...Object.keys(suite.roles)].join(', ')}.`,
      })
    }
    if (model?.startsWith(BASELINE_PREFIX) && use.baselines !== true) {
      throw new UserError(`${model} cannot be used as ${role}: ${suite.name} has no baselines for that role.`, {
        hint: `Use --model-role ${role}=provider/name, or omit the role.`,
      })
    }
  }
}

function atLeastOne(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value
  throw new UserError(`${name} must be a positive integer, not ${value}.`)
}

/** Whether a run uses baselines only, and so no network. */
export function isLocal(models: Readonly<Record<string, string>>): boolean {
  return Object.values(models).every((model) => model.startsWith(BASELINE_PREFIX))
}
