import { cutEnd } from '../../base/display-width.ts'
import { UserError } from '../../base/errors.ts'
import { terminalWidth } from './size.ts'

/** Aborts on the first Ctrl-C; the second one exits. */
export function interrupted(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort(new UserError('Interrupted. Run the same command to continue.')))
  return controller.signal
}

const SHOW_EVERY_MS = 500

/** A progress line on a terminal: `12/40 videos`. */
export function progress(what: string): (done: number, of: number) => void {
  let shown = performance.now()
  return (done, of) => {
    if (!process.stderr.isTTY) return
    const now = performance.now()
    if (now - shown < SHOW_EVERY_MS && done < of) return
    shown = now
    process.stderr.write(`\r\u001b[K${done}/${of} ${what}${done >= of ? '\r\u001b[K' : ''}`)
  }
}

/** A line on a terminal that says what is being done; it is redrawn by the next one, and `clear` removes it. */
export function stepLine(): { show(text: string): void; clear(): void } {
  let shown = -Infinity
  const draw = (text: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${cutEnd(text, terminalWidth(process.stderr) - 1)}`)
  }
  return {
    show: (text) => {
      const now = performance.now()
      if (now - shown < SHOW_EVERY_MS) return
      shown = now
      draw(text)
    },
    clear: () => draw(''),
  }
}
