/** Floors and ceilings of a suite, as `sightline audit` measures them, and the runs they hold for. */
import { z } from 'zod'
import type { RunHeader } from '../store/records.ts'

const number = z.number().nullable()
const interval = z.tuple([z.number(), z.number()]).readonly().nullable()

const auditRow = z.object({
  /** Key of the row in the suite's table, or the task's `row`. */
  key: z.string(),
  title: z.string(),
  section: z.string().exactOptional(),
  n: z.number(),
  /** Score of a random pick; null if the row has answers without options. */
  chance: number,
  /** Score of the best constant answer; `constantAnswer` if it is the same for the whole row. */
  constant: number,
  constantAnswer: z.string().exactOptional(),
  /** Score of the learner that reads only words, on scenes it has not seen. */
  blind: number,
  blindInterval: interval,
  /** How much more than chance and the best constant the learner gets. */
  gain: number,
  gainInterval: interval,
  /** Score of `baseline/eye`. */
  ceiling: number,
})

export const auditSchema = z.object({
  format: z.literal(1),
  suite: z.string(),
  suiteVersion: z.number(),
  profile: z.string(),
  source: z.string(),
  limit: z.string().nullable(),
  options: z.record(z.string(), z.unknown()),
  seed: z.number(),
  samples: z.number(),
  clusters: z.number(),
  rows: z.array(auditRow),
  notes: z.array(z.string()),
})

/** The file that a suite ships: one audit per suite, profile and source. */
export const auditFile = z.array(auditSchema)

export type AuditRow = z.output<typeof auditRow>
export type Audit = z.output<typeof auditSchema>

/** Four decimals: more would only be noise in a file. */
export function roundedAudit(audit: Audit): Audit {
  return auditSchema.parse(
    JSON.parse(JSON.stringify(audit), (_, value: unknown) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(4)) : value,
    ),
  )
}

/** The highest score that needs no looking; null if none is known. */
export function floorOf(row: {
  chance?: number | null | undefined
  constant?: number | null | undefined
  blind?: number | null | undefined
}): number | null {
  const known = [row.chance, row.constant, row.blind].filter((value) => typeof value === 'number')
  return known.length === 0 ? null : Math.max(...known)
}

/** Learned scores by row, of an audit that holds for the run. */
export type BlindScores = Readonly<Record<string, number>>

/** The rules that the table of a run is made with, and the audit that holds for it. */
export function tableRules(header: Played, audits: readonly Audit[] = []) {
  const found = auditFor(header, audits)
  const { profile, options } = header
  const blind = found.audit?.rows.flatMap(({ key, blind: value }) => (value === null ? [] : [[key, value] as const]))
  return { found, context: { profile, options, ...(blind && { blind: Object.fromEntries(blind) }) } }
}

interface Floors {
  key: string
  chance?: number | null
  constant?: number | null
  blind?: number | null
  ceiling?: number | null
}

/**
 * A row with the floors and the ceiling of an audit. Those that the suite computes on the very samples go first; of two
 * constants, the better one is the floor.
 */
export function withFloors<Row extends Floors>(row: Row, audit: Audit | null): Row {
  const own = audit?.rows.find(({ key }) => key === row.key)
  if (own === undefined) return row
  const floors = {
    chance: row.chance ?? own.chance,
    constant: floorOf({ chance: row.constant, constant: own.constant }),
    blind: own.blind ?? row.blind,
    ceiling: row.ceiling ?? own.ceiling,
  }
  return { ...row, ...Object.fromEntries(Object.entries(floors).filter(([, value]) => value != null)) }
}

type Played = Pick<RunHeader, 'suite' | 'suiteVersion' | 'profile' | 'source' | 'options'>

/** The audit that holds for a run, or what it would have to share with one. */
export type FoundAudit = { audit: Audit } | { audit: null; reason: string | null }

/** Audits hold for runs of the same version, profile, source and options. Scenes may be other ones of the same kind. */
export function auditFor(run: Played, audits: readonly Audit[]): FoundAudit {
  const known = audits.filter(({ suite }) => suite === run.suite)
  const judged = known.map((audit) => ({ audit, differences: differencesOf(run, audit) }))
  const [closest] = judged.toSorted((a, b) => a.differences.length - b.differences.length)
  if (closest === undefined) return { audit: null, reason: null }
  if (closest.differences.length === 0) return { audit: closest.audit }
  return {
    audit: null,
    reason: `No audited floors and ceilings for this run: the audit has ${closest.differences.join(', ')}. Make them with \`sightline audit ${run.suite}\`.`,
  }
}

/** `frames=32 (here 16)` for everything that a score without looking may depend on. */
function differencesOf(run: Played, audit: Audit): string[] {
  const amounts = amountsOf(audit.source)
  const facts = [
    ['version', audit.suiteVersion, run.suiteVersion],
    ['profile', audit.profile, run.profile],
    ['source', kindOfSource(audit.source, amounts), kindOfSource(run.source, amounts)],
    ...[...new Set([...Object.keys(audit.options), ...Object.keys(run.options)])].map((name) => [
      name,
      JSON.stringify(audit.options[name]),
      JSON.stringify(run.options[name]),
    ]),
  ]
  return facts.flatMap(([name, then, now]) => (then === now ? [] : [`${name}=${then} (here ${now})`]))
}

/** Arguments that only say which and how many samples there are: path, seed, and the whole numbers of the audit. */
function amountsOf(source: string): ReadonlySet<string> {
  const whole = argumentsOf(source).filter((each) => /=\d+$/.test(each))
  return new Set(['path', 'seed', ...whole.map(nameOf)])
}

function kindOfSource(source: string, amounts: ReadonlySet<string>): string {
  const kept = argumentsOf(source).filter((each) => !amounts.has(nameOf(each)))
  return [source.split(':')[0]!, ...kept.sort()].join(' ')
}

function argumentsOf(source: string): string[] {
  const colon = source.indexOf(':')
  const args = colon < 0 ? [] : source.slice(colon + 1).split(',')
  return args.filter((each) => /^[\w-]+=/.test(each))
}

const nameOf = (argument: string): string => argument.slice(0, argument.indexOf('='))
