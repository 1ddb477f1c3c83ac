/** A command in a real terminal of a given width (tmux), and its screen as HTML. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

export interface TerminalShot {
  /** As the reader would type it. */
  command: string
  /** Default: 80. */
  columns?: number
  /** Lines of the picture: the last ones. Default: 32. */
  lines?: number
  /** Photograph while it runs, once the screen matches and some more seconds have passed. Default: when it has ended. */
  during?: RegExp
  env: Readonly<Record<string, string>>
  /** Working folder. */
  folder: string
}

/** A server of its own: the user's sessions are left alone. */
const SOCKET = `sightline-photographs-${process.pid}`
const DURING_MS = 6000
const POLL_MS = 250
const TIMEOUT_MS = 300_000

export async function terminalScreen({
  command,
  columns = 80,
  lines = 32,
  during,
  env,
  folder,
}: TerminalShot): Promise<string> {
  const session = 'photograph'
  const ended = `${session}-ended`
  const variables = Object.entries(env)
    .map(([name, value]) => `export ${name}=${quote(value)}; `)
    .join('')
  const script = `${variables}printf '\\033[1m$ %s\\033[0m\\n' ${quote(command)}; ${command}; tmux -L ${SOCKET} wait-for -S ${ended}; sleep 600`
  const size = ['-x', String(columns), '-y', String(lines)]
  tmux('new-session', '-d', '-s', session, ...size, '-c', folder, 'bash', '--norc', '-c', script)
  try {
    if (during) await untilSeen(session, during)
    // Asynchronous, because the model server answers from this process.
    else await promisify(execFile)('tmux', ['-L', SOCKET, 'wait-for', ended], { timeout: TIMEOUT_MS })
    // What left the screen at the top belongs to the picture, unless it is only the current screen that counts.
    const history = during ? [] : ['-S', '-200']
    const screen = tmux('capture-pane', '-e', '-p', ...history, '-t', session)
      .trimEnd()
      .split('\n')
    return toHtml(screen.slice(-lines).join('\n'), columns)
  } finally {
    spawnSync('tmux', ['-L', SOCKET, 'kill-session', '-t', session])
  }
}

async function untilSeen(session: string, wanted: RegExp): Promise<void> {
  for (const until = performance.now() + TIMEOUT_MS; performance.now() < until; await setTimeout(POLL_MS)) {
    if (wanted.test(tmux('capture-pane', '-p', '-t', session))) return setTimeout(DURING_MS)
  }
  throw new Error(`The terminal never showed ${String(wanted)}.`)
}

function tmux(...args: string[]): string {
  return execFileSync('tmux', ['-L', SOCKET, ...args], { encoding: 'utf8' })
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

const COLORS = ['#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d8dee9']
const BRIGHT = ['#7f8794', '#ff8a93', '#b5e890', '#ffd98a', '#8cc8ff', '#e2a0f5', '#7fdbe6', '#ffffff']

interface Look {
  bold: boolean
  dim: boolean
  underlined: boolean
  inverse: boolean
  color: string | null
}
const PLAIN: Look = { bold: false, dim: false, underlined: false, inverse: false, color: null }

const ESCAPE = '\u{1b}['
/** Colors and weights; tmux sends no others. */
const SEQUENCE = new RegExp(String.raw`(\u{1b}\[[0-9;]*m)`, 'u')

function toHtml(screen: string, columns: number): string {
  let look = PLAIN
  const body = screen
    .split(SEQUENCE)
    .map((part) => {
      const codes = part.startsWith(ESCAPE) ? part.slice(2, -1) : undefined
      if (codes === undefined) return part === '' ? '' : `<span style="${styleOf(look)}">${escape(part)}</span>`
      look = after(look, codes === '' ? [0] : codes.split(';').map(Number))
      return ''
    })
    .join('')
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #1d232b }
    pre { display: inline-block; margin: 0; padding: 14px 16px; width: ${columns}ch; color: #dfe5ec;
      font: 14px/1.35 'DejaVu Sans Mono', monospace }
  </style><pre>${body}</pre>`
}

function after(look: Look, codes: readonly number[]): Look {
  let next = look
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!
    if (code === 0) next = PLAIN
    else if (code === 1) next = { ...next, bold: true }
    else if (code === 2) next = { ...next, dim: true }
    else if (code === 4) next = { ...next, underlined: true }
    else if (code === 7) next = { ...next, inverse: true }
    else if (code === 22) next = { ...next, bold: false, dim: false }
    else if (code === 24) next = { ...next, underlined: false }
    else if (code === 27) next = { ...next, inverse: false }
    else if (code >= 30 && code <= 37) next = { ...next, color: COLORS[code - 30]! }
    else if (code >= 90 && code <= 97) next = { ...next, color: BRIGHT[code - 90]! }
    else if (code === 39) next = { ...next, color: null }
    else if (code === 38 && codes[i + 1] === 5) {
      const index = codes[(i += 2)]!
      next = { ...next, color: (index < 8 ? COLORS[index] : BRIGHT[index - 8]) ?? null }
    } else if (code === 38 && codes[i + 1] === 2) {
      next = { ...next, color: `rgb(${codes.slice(i + 2, i + 5).join(',')})` }
      i += 4
    }
  }
  return next
}

function styleOf({ bold, dim, underlined, inverse, color }: Look): string {
  return [
    bold && 'font-weight:700',
    dim && 'opacity:0.65',
    underlined && 'text-decoration:underline',
    inverse ? `background:${color ?? '#dfe5ec'};color:#1d232b` : color !== null && `color:${color}`,
  ]
    .filter(Boolean)
    .join(';')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
