/** Live progress of runs: a few redrawn lines on a terminal, plain log lines elsewhere. */
import type { Progress } from '../../engine/progress.ts'
import { widthOf } from '../../base/display-width.ts'
import { setLiveLines, say } from './output.ts'
import { terminalHeight, terminalWidth } from './size.ts'
import { liveLines, type ShownRun, summaryLine, unstyled } from './live-lines.ts'

const REDRAW_MS = 200
const PLAIN_EVERY_MS = 15_000
/** Lines of the terminal that the display leaves free. */
const FREE_ROWS = 3

/** Shows any number of runs at once. */
export interface Display {
  /** Adds a run; it is shown until it ends. */
  add(title: string): RunDisplay
}

/** One run of a display. */
export interface RunDisplay {
  update(progress: () => Progress): void
  /** Prints a permanent line above the live ones. */
  message(text: string): void
  /** Removes the run from the live lines and, if it was played, leaves a line about it. */
  end(progress?: Progress): void
}

export function openDisplay({ quiet }: { quiet: boolean }): Display {
  if (quiet) return { add: () => ({ update: () => undefined, message: say, end: () => undefined }) }
  return process.stderr.isTTY ? new LiveDisplay() : new PlainDisplay()
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000
}

/** Redraws a few times per second, as drawing must not slow down a run. */
class LiveDisplay implements Display {
  readonly #runs = new Set<ShownRun>()
  #timer: NodeJS.Timeout | null = null
  #drawn: readonly string[] = []

  add(title: string): RunDisplay {
    const started = performance.now()
    const run: ShownRun = { title, progress: () => null, seconds: () => secondsSince(started) }
    this.#runs.add(run)
    setLiveLines(this)
    this.#timer ??= setInterval(() => this.#draw(), REDRAW_MS).unref()
    this.#draw()
    return {
      update: (progress) => {
        run.progress = progress
      },
      message: say,
      end: (progress) => this.#end(run, progress),
    }
  }

  #end(run: ShownRun, progress: Progress | undefined): void {
    if (!this.#runs.delete(run)) return
    if (progress) say(summaryLine(run.title, progress, run.seconds(), terminalWidth(process.stderr)))
    if (this.#runs.size > 0) return
    this.clear()
    clearInterval(this.#timer!)
    this.#timer = null
    setLiveLines(null)
  }

  #draw(): void {
    // The last column stays free: some terminals wrap as soon as it is filled.
    const width = terminalWidth(process.stderr) - 1
    const height = Math.max(1, terminalHeight(process.stderr) - FREE_ROWS)
    const lines = liveLines([...this.#runs], { width, height })
    this.clear()
    // No wrapping while drawing, in case the terminal has its own idea of how wide a character is.
    process.stderr.write(`\u001b[?7l${lines.join('\n')}\n\u001b[?7h`)
    this.#drawn = lines.map(unstyled)
  }

  /** Moves to the first drawn line and erases from there; a narrowed terminal has wrapped what was drawn before. */
  clear(): void {
    if (this.#drawn.length === 0) return
    const columns = terminalWidth(process.stderr)
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
    // The carriage return matters: the terminal may have echoed ^C.
    process.stderr.write(`\r\u001b[${rows}A\u001b[0J`)
    this.#drawn = []
  }
}

/** One line every 15 seconds, however many runs there are. */
class PlainDisplay implements Display {
  #active = 0

  add(title: string): RunDisplay {
    const started = performance.now()
    let printedAt = started
    let printedError: string | null = null
    const print = (progress: Progress): void => {
      say(summaryLine(title, progress, secondsSince(started)))
      if (progress.lastError === null || progress.lastError === printedError) return
      printedError = progress.lastError
      say(`  last error: ${progress.lastError}`)
    }
    this.#active += 1
    return {
      update: (progress) => {
        const now = performance.now()
        if (now - printedAt < PLAIN_EVERY_MS * this.#active) return
        printedAt = now
        print(progress())
      },
      message: say,
      end: (progress) => {
        this.#active -= 1
        if (progress) print(progress)
      },
    }
  }
}
