/** What a benchmark hands back, and how it measures. */
import { existsSync, readFileSync } from 'node:fs'

export interface BenchResult {
  /** Measured numbers by name. Speed as a rate or as a ratio to something measured in the same run. */
  figures: Readonly<Record<string, number>>
  /** Bars that the figures of the same name must hold. */
  bars?: Readonly<Record<string, Bar>>
}

export type Bar = { atLeast: number } | { atMost: number }

/** What a benchmark file exports: it measures, given what was said after its name if it takes arguments. */
export type Bench = (args: readonly string[]) => Promise<BenchResult> | BenchResult

export function holds(bar: Bar, value: number): boolean {
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost
}

/** The middle of several runs: one noisy neighbor does not move it. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** CPU seconds that `work` used in this process, all threads included. */
export async function cpuSeconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1e6
}

/** Peak memory of this process. `maxRSS` is at least what its parent had when it was started, where Linux says more. */
export function peakMegabytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]
  return (kilobytes === undefined ? process.resourceUsage().maxRSS : Number(kilobytes)) / 1024
}

/**
 * Units of work per second of CPU: runs `batch` (which returns how many units it did) for about `seconds`, several times.
 * CPU time and not the clock on the wall, because machines are shared: on an idle one they are the same.
 */
export function ratePerSecond(batch: () => number, { seconds = 1, runs = 5 } = {}): number {
  batch()
  const rates = Array.from({ length: runs }, () => {
    const start = process.cpuUsage()
    let units = 0
    let elapsed = 0
    do {
      units += batch()
      const { user, system } = process.cpuUsage(start)
      elapsed = (user + system) / 1e6
    } while (elapsed < seconds)
    return units / elapsed
  })
  return median(rates)
}
