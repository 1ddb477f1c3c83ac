/** Live progress of a run: a few redrawn lines on a terminal, plain log lines elsewhere. */
import type { Progress } from '../../engine/progress.ts'
import { plural } from '../../base/plural.ts'
import { bold, dim, plain, say, setLiveLines } from './output.ts'

const REDRAW_MS = 120
const PLAIN_EVERY_MS = 15_000
const BAR_WIDTH = 28

export interface Display {
  update(progress: () => Progress): void
  /** Prints a permanent line above the live ones. */
  message(text: string): void
  end(progress: Progress): void
}

export function displayFor(title: string, quiet: boolean): Display {
  if (quiet) return { update: () => undefined, message: say, end: () => undefined }
  return process.stderr.isTTY ? new LiveDisplay(title) : new PlainDisplay(title)
}

/** Redraws at most eight times per second, as drawing must not slow down the run. */
class LiveDisplay implements Display {
  readonly #title: string
  readonly #started = performance.now()
  #drawn = 0
  #lines = 0

  constructor(title: string) {
    this.#title = title
    setLiveLines(this)
  }

  update(progress: () => Progress): void {
    const now = performance.now()
    if (now - this.#drawn < REDRAW_MS) return
    this.#drawn = now
    this.#draw(progress())
  }

  message(text: string): void {
    say(text)
  }

  end(progress: Progress): void {
    this.#draw(progress)
    this.#lines = 0
    setLiveLines(null)
  }

  #draw(progress: Progress): void {
    const seconds = (performance.now() - this.#started) / 1000
    const width = process.stderr.columns ?? 100
    const share = progress.planned === 0 ? 1 : progress.finished / progress.planned
    const filled = Math.round(share * BAR_WIDTH)
    const bar = '━'.repeat(filled) + dim('━'.repeat(BAR_WIDTH - filled))
    const lines = [
      bold(this.#title),
      `${bar} ${progress.finished}/${progress.planned}  ${paceOf(progress, seconds)}`,
      dim(detailsOf(progress)),
    ]
    if (progress.lastError)
      lines.push(dim(`last error: ${plain(progress.lastError).slice(0, Math.max(20, width - 14))}`))
    this.clear()
    process.stderr.write(`${lines.join('\n')}\n`)
    this.#lines = lines.length
  }

  clear(): void {
    if (this.#lines > 0) process.stderr.write(`\u001b[${this.#lines}A\u001b[0J`)
    this.#lines = 0
  }
}

class PlainDisplay implements Display {
  readonly #title: string
  readonly #started = performance.now()
  #printedAt = performance.now()
  #printedError: string | null = null

  constructor(title: string) {
    this.#title = title
  }

  update(progress: () => Progress): void {
    const now = performance.now()
    if (now - this.#printedAt < PLAIN_EVERY_MS) return
    this.#printedAt = now
    this.#line(progress())
  }

  message(text: string): void {
    say(text)
  }

  end(progress: Progress): void {
    this.#line(progress)
  }

  #line(progress: Progress): void {
    const seconds = (performance.now() - this.#started) / 1000
    say(
      `${this.#title}: ${progress.finished}/${progress.planned}, ${paceOf(progress, seconds)}, ${detailsOf(progress)}`,
    )
    if (progress.lastError !== null && progress.lastError !== this.#printedError) {
      this.#printedError = progress.lastError
      say(`  last error: ${progress.lastError}`)
    }
  }
}

function paceOf(progress: Progress, seconds: number): string {
  const played = progress.finished - progress.before
  if (progress.finished >= progress.planned && played === 0) return 'nothing left to play'
  if (played === 0) return 'starting'
  const rate = played / seconds
  const left = (progress.planned - progress.finished) / rate
  const pace = rate >= 1 ? `${rate.toFixed(1)}/s` : `${(rate * 60).toFixed(1)}/min`
  return left > 0 ? `${pace}, ${duration(left)} left` : `${pace}, ${duration(seconds)}`
}

function detailsOf(progress: Progress): string {
  const { score, byStatus, usd, tokens, calls, cachedCalls, connections } = progress
  const parts: string[] = []
  if (score)
    parts.push(`${score.title} ${score.unit === 'percent' ? (score.value * 100).toFixed(1) : score.value.toFixed(2)}`)
  const failures = Object.entries(byStatus).filter(([status]) => status !== 'answered')
  parts.push(failures.length === 0 ? 'no failures' : failures.map(([status, count]) => `${count} ${status}`).join(', '))
  parts.push(`${plural(calls, 'call')}${cachedCalls > 0 ? ` (${cachedCalls} cached)` : ''}`)
  if (tokens > 0) parts.push(plural(tokens, 'token'), usd === null ? 'price unknown' : `$${usd.toFixed(4)}`)
  if (tokens > 0) parts.push(plural(connections, 'connection'))
  return parts.join(' · ')
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`
}
