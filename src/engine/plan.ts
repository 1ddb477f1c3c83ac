/** From what a user asked for to a run that can be played, resumed and compared. Nothing is written or sent here. */
import { UserError } from '../base/errors.ts'
import { didYouMean } from '../base/nearest.ts'
import type { Role } from '../models/types.ts'
import type { RunHeader, SuiteModule } from '../store/records.ts'
import { parseBudget } from './budget.ts'
import { fingerprintOf, shortHash } from './fingerprint.ts'
import { suiteOptions } from './options.ts'
import { BASELINE_PREFIX } from './players.ts'
import { countSelected, defaultSource, openSource, parseLimit, type Selection } from './source.ts'
import type { AnySuite, OpenedSource, RoleUse, SampleBase } from './suite.ts'

/** What a user can say about a run. Everything but suite and player has a default. */
export interface RunRequest {
  suite: AnySuite
  /** Where the suite was loaded from, when it is not one of ours. */
  suiteModule?: SuiteModule | undefined
  models: Readonly<Partial<Record<Role, string>>> & { player: string }
  modelOptions?: Readonly<Record<string, unknown>> | undefined
  options?: Readonly<Record<string, unknown>> | undefined
  source?: string | undefined
  profile?: string | undefined
  limit?: string | undefined
  sampleIds?: readonly string[] | undefined
  /** Default 1. */
  epochs?: number | undefined
  /** Default 0. */
  seed?: number | undefined
  budget?: string | undefined
  timeLimitSeconds?: number | undefined
}

export interface RunPlan {
  suite: AnySuite
  options: unknown
  source: OpenedSource<SampleBase>
  selection: Selection
  /** `run.json`, but for what is only known when the run starts. */
  header: Omit<RunHeader, 'id' | 'created' | 'versions' | 'git' | 'prices'>
}

/** What machines that play a run together must have the same of, beside its fingerprint. */
export async function filesOf({ source }: RunPlan): Promise<string | null> {
  return (await source.files?.()) ?? null
}

/** Checks everything that can be checked before a run: options, roles, source, ids. */
export async function planRun(request: RunRequest): Promise<RunPlan> {
  const { suite, models } = request
  const profile = profileOf(suite, request.profile)
  const options = suiteOptions(suite, request.options ?? {})
  checkRoles(suite, models, options)
  if (request.budget !== undefined) parseBudget(request.budget)
  const epochs = atLeastOne('--epochs', request.epochs ?? 1)
  const seed = request.seed ?? 0
  const sourceText = request.source ?? defaultSource(suite)
  const source = await openSource(suite, sourceText, options, { seed, profile })
  const limit = request.limit ?? null
  const sampleIds = request.sampleIds && request.sampleIds.length > 0 ? [...request.sampleIds].sort() : null
  const selection: Selection = { ...parseLimit(limit), ids: sampleIds && new Set(sampleIds) }
  const selected = await countSelected(source, selection)
  if (selected === 0) {
    throw new UserError(
      `No sample is left to play: ${sourceText} has ${source.count ?? 'none'} and --limit is ${limit ?? 'not set'}.`,
    )
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
      fingerprint: fingerprintOf(described, suite.prompts(options)),
    },
  }
}

/** A plan for what is recorded already: its samples are in the log, so no source is opened. */
export function planRecorded(suite: AnySuite, header: RunHeader): RunPlan {
  // What it was played with stays; options and models that measure may be others now.
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

/** What must not have changed to score a run again: only what its samples are made of. */
const SAMPLE_PARTS = /^(suite|source|samples|option\..*)$/

/** What was asked for when a run was started. */
export function requestOf(suite: AnySuite, header: RunHeader): RunRequest {
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
    ...(header.sampleIds === null ? {} : { sampleIds: header.sampleIds }),
    ...(header.budget === null ? {} : { budget: header.budget }),
    ...(header.timeLimitSeconds === null ? {} : { timeLimitSeconds: header.timeLimitSeconds }),
  }
}

/** Parts of the fingerprint that are not what they were, with their values now and then. */
export function changedParts(
  plan: Pick<RunPlan, 'header'>,
  header: RunHeader,
): [part: string, now: string, then: string | undefined][] {
  const then = header.fingerprint.parts
  // An option that did not exist then has its default now, which is what was played.
  const isNew = (part: string): boolean => part.startsWith('option.') && then[part] === undefined
  return Object.entries(plan.header.fingerprint.parts)
    .filter(([part, value]) => then[part] !== value && !isNew(part))
    .map(([part, value]) => [part, value, then[part]])
}

/**
 * The plan of a run that exists: `resume` goes on with it, which needs everything as it was; `score` only looks at its
 * cases again. They may lie elsewhere now, as long as they are the same.
 */
export async function replan(
  suite: AnySuite,
  header: RunHeader,
  purpose: 'resume' | 'score',
  source: string = header.source,
): Promise<RunPlan> {
  const plan = await planRun({ ...requestOf(suite, header), source })
  const changed = changedParts(plan, header).filter(([part]) => purpose === 'resume' || SAMPLE_PARTS.test(part))
  if (changed.length > 0) {
    const list = changed.map(([part, now, then]) => `${part} (then ${then ?? 'unset'}, now ${now})`).join(', ')
    throw new UserError(
      `Run ${header.id} cannot be ${purpose === 'resume' ? 'resumed' : 'scored again'}: since it started, this has changed: ${list}.`,
      {
        hint: 'Start a new run, or use the version that made this one.',
      },
    )
  }
  return plan
}

/** The profile a user named, or the suite's default. */
export function profileOf(suite: AnySuite, given: string | undefined): string {
  if (given === undefined) return suite.profiles[0]
  if (suite.profiles.includes(given)) return given
  throw new UserError(`${suite.name} has no profile "${given}".`, {
    hint: didYouMean(given, suite.profiles, 'Profiles'),
  })
}

function checkRoles(suite: AnySuite, models: RunRequest['models'], options: unknown): void {
  if (!models.player) {
    throw new UserError(`${suite.name} needs a model.`, { hint: 'Give one with --model provider/name.' })
  }
  for (const [role, use] of Object.entries(suite.roles) as [Role, RoleUse<unknown>][]) {
    if (models[role] || use.needed?.(options) !== true) continue
    throw new UserError(`${suite.name} needs a model for the role "${role}" with these options.`, {
      hint: `Give one with --model-role ${role}=provider/name.`,
    })
  }
  for (const [role, model] of Object.entries(models) as [Role, string | undefined][]) {
    if (role === 'player') continue
    const use = Object.hasOwn(suite.roles, role) ? suite.roles[role] : undefined
    if (!use) {
      throw new UserError(`${suite.name} does not ask a ${role}.`, {
        hint: `Its roles: ${['player', ...Object.keys(suite.roles)].join(', ')}.`,
      })
    }
    if (model?.startsWith(BASELINE_PREFIX) && use.baselines !== true) {
      throw new UserError(`${model} cannot be the ${role}: built-in players of ${suite.name} do not know how.`, {
        hint: `Give a model with --model-role ${role}=provider/name, or leave that role out.`,
      })
    }
  }
}

function atLeastOne(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value
  throw new UserError(`${name} must be a whole number from 1, not ${value}.`)
}

/** Does the run need nothing from the network? */
export function isLocal(models: Readonly<Record<string, string>>): boolean {
  return Object.values(models).every((model) => model.startsWith(BASELINE_PREFIX))
}
