/** Says when the first samples of a source are not like the rest of it. */
import { plural } from '../base/plural.ts'
import { MAX_TYPES, type Outline } from './draw.ts'
import type { RunPlan } from './plan.ts'

/** How long to look at the samples that are not played; generated ones can take seconds each. */
const LOOK_MS = 300

/** Null if the limited samples have several clusters and all values of every label, as far as was looked. */
export async function limitNote({ source, selection: { from, to }, header }: RunPlan): Promise<string | null> {
  const { limit, sampleIds } = header
  if (limit === null || sampleIds !== null) return null
  const chosen = new Tally()
  const all = new Tally()
  let index = 0
  let until = Infinity
  // Without a count, the outline has samples that are left out.
  for await (const outline of (source.count === null ? null : source.outline?.()) ?? source.samples()) {
    all.add(outline)
    if (index >= from && index < to) chosen.add(outline)
    index += 1
    if (index < to) continue
    const now = performance.now()
    if (until === Infinity) until = now + LOOK_MS
    else if (now > until) break
  }
  const { samples } = chosen
  if (samples < 2 || samples === all.samples) return null
  const lacks = [
    ...(chosen.clusters.size === 1 && all.clusters.size > 1 ? [`one scene (${[...chosen.clusters][0]})`] : []),
    ...[...all.values]
      .map(([name, { size }]) => ({ name, size, has: chosen.values.get(name)?.size ?? 0 }))
      .filter(({ size, has }) => size <= MAX_TYPES && has < size)
      .map(({ name, size, has }) => `${has} of ${size} values of "${name}"`),
  ]
  if (lacks.length === 0) return null
  const what = new Intl.ListFormat('en').format(lacks)
  return `--limit ${limit} plays ${plural(samples, 'sample')} with only ${what}. To draw from all of them, use --sample ${samples}.`
}

class Tally {
  samples = 0
  readonly clusters = new Set<string>()
  readonly values = new Map<string, Set<string>>()

  add({ cluster, labels }: Outline): void {
    this.samples += 1
    this.clusters.add(cluster)
    for (const [name, value] of Object.entries(labels)) {
      const seen = this.values.get(name)
      if (seen) seen.add(value)
      else this.values.set(name, new Set([value]))
    }
  }
}
