/**
 * `sightline` for a reader of the documentation: the built command line, with placeholders replaced by the reader's runs,
 * files and datasets, with fewer samples, and with servers that stop once they answer.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

/** @type {{ main: string, store: string, sources: Record<string, string>, files: Record<string, string> }} */
const reader = JSON.parse(readFileSync(process.env.DOCS_READER, 'utf8'))
const given = process.argv
  .slice(2)
  .flatMap((arg) =>
    /^--[\w-]+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg],
  )
const [command = '', subcommand = ''] = given
const isVbench = command === 'vbench'

const MODEL_OPTIONS = new Set(['-m', '--model', '--judge', '--model-role'])
/** Upper limits, and defaults where the page gives no number. */
const COUNTS = {
  '--limit': { most: 2, for: 'run', byDefault: 1 },
  '--sample': { most: 2 },
  '--epochs': { most: 2 },
  '--examples': { most: 1 },
  '--scenes': { most: 2, for: 'demo', byDefault: 2 },
  '--clips': { most: 1, for: 'vsig', byDefault: 1 },
  ...(isVbench ? { '--samples': { most: 1, for: 'vbench', byDefault: 1 } } : {}),
  ...(isVbench ? { '--flickering-samples': { most: 1, for: 'vbench', byDefault: 1 } } : {}),
}
const SHORT = { '-l': '--limit', '-n': '--examples' }
/** Suite options that make an episode short, where the page does not set them. */
const QUICK = {
  space: { questions: '1' },
  'vsi/explore': { steps: '1', unanswerable: 'ask' },
  'vsi/video': { pictures: '2', unanswerable: 'ask' },
  'articulate/place': { size: '320x240', iterations: '1' },
  'articulate/joint': { size: '320x240', iterations: '1' },
  'articulate/build': { size: '320x240', iterations: '1' },
  'articulate/critic': { size: '320x240' },
  vsig: { frames: '2', side: '256', unanswerable: 'ask' },
}
/** Their rooms are lit, textured and drawn larger otherwise, which takes most of the time. */
const PLAIN_SUITES = new Set(['vsi/explore', 'vsi/video'])
const PLAIN = 'builtin:look=plain'
/** Options that conflict with a quick one. */
const SAME_AS = { steps: 'pictures', pictures: 'frames', frames: 'input' }

/** @param {string} name */
const valuesOf = (...names) => args.flatMap((arg, at) => (names.includes(arg) ? [args[at + 1] ?? ''] : []))

let args = given.map((arg, at) => {
  const option = SHORT[given[at - 1]] ?? given[at - 1]
  if (MODEL_OPTIONS.has(option))
    return arg.replace(/(^|=)(…|\.{3}|PROVIDER\/(MODEL|OTHER|NAME)|provider\/name)$/i, '$1openai/model')
  if (option in COUNTS) return fewer(arg, COUNTS[option].most)
  if (option === '--source') return sourceOf(arg)
  if (option === '--port' || option === '--episode') return '0'
  return arg
})

for (const [option, { for: of, byDefault }] of Object.entries(COUNTS)) {
  const short = Object.keys(SHORT).filter((each) => SHORT[each] === option)
  const isSet = valuesOf(option, ...short, '--sample', '--sample-id', '--custom', '--prompt-file').length > 0
  const takesIt = command === of && !(isVbench && subcommand === 'total') && !args.includes('--help')
  if (byDefault !== undefined && takesIt && !isSet) args.push(option, String(byDefault))
}
if (
  isVbench &&
  subcommand !== 'total' &&
  valuesOf('-d', '--dimension', '--category', '--prompts', '--suite', '--custom').length === 0
)
  args.push('-d', 'human_action')
const isServer = command === 'view' || command === 'serve'
if (isServer && valuesOf('--port').length === 0) args.push('--port', '0')
if (command === 'run') shortenEpisodes()
args = args.map(fileOf)
const store = valuesOf('--log-dir').at(-1) ?? process.env.SIGHTLINE_LOG_DIR ?? '.sightline'
args = args.map((arg) => (isRun(arg) ? runOf(arg) : arg))

if (args.join(' ') !== given.join(' ')) writeFileSync(process.env.DOCS_RAN, `sightline ${args.join(' ')}\n`)
const socket = process.env.DOCS_SOCKET
if (isServer) stopOnceItAnswers()
if (isServer || !socket) await runHere()
else runWarm(socket)

async function runHere() {
  process.argv = [process.argv[0], reader.main, ...args]
  await import(reader.main)
}

/** Sends the command to the process that has the command line loaded. */
function runWarm(/** @type {string} */ path) {
  const caller = connect(path)
  // The command ends as usual when nobody reads its output, as in `sightline list | head`.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  caller.once('error', () => void runHere())
  caller.once('connect', () => {
    process.exitCode = 1
    caller.write(`${JSON.stringify({ args, cwd: process.cwd(), env: process.env })}\n`)
    createInterface({ input: caller })
      .on('error', () => {})
      .on('line', (line) => {
        const { stdout, stderr, code } = JSON.parse(line)
        if (stdout !== undefined) process.stdout.write(stdout)
        if (stderr !== undefined) process.stderr.write(stderr)
        if (code !== undefined) process.exitCode = code
      })
  })
}

/** @param {string} count @param {number} most */
function fewer(count, most) {
  const range = /^(\d+)-(\d+)$/.exec(count)
  if (range) return `${range[1]}-${Math.min(Number(range[2]), Number(range[1]) + most - 1)}`
  return /^\d+$/.test(count) ? String(Math.min(Number(count), most)) : count
}

/** `vsi-bench:/data/vsi`, `vsi-bench:path=/data/vsi,set=tiny`: the path becomes that of a small dataset with the same layout. */
function sourceOf(/** @type {string} */ text) {
  const colon = text.indexOf(':')
  const [name, where] = [text.slice(0, colon), text.slice(colon + 1)]
  const data = reader.sources[name]
  if (colon < 0 || data === undefined || existsSync(/\bpath=([^,]+)/.exec(where)?.[1] ?? where)) return text
  if (!where.includes('=')) return `${name}:${data}`
  return `${name}:${where
    .replace(/\bpath=[^,]+/, `path=${data}`)
    .replace(/\bmeshes=[^,]+/, `meshes=${data}`)
    .replace(/\bexclude=[^,]+/, `exclude=${join(data, 'exclude.txt')}`)}`
}

function shortenEpisodes() {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'))
  const suites = args.slice(1, firstOption)
  const set = new Set(valuesOf('-T', '--task').map((pair) => pair.split('=')[0]))
  const isOfRooms = suites.some((suite) => PLAIN_SUITES.has(suite))
  if (isOfRooms && suites.every((suite) => suite.startsWith('vsi/')) && valuesOf('--source').length === 0) {
    args.push('--source', PLAIN)
    if (!set.has('size') && suites.every((suite) => PLAIN_SUITES.has(suite))) args.push('-T', 'size=320x240')
  }
  for (const [prefix, options] of Object.entries(QUICK)) {
    if (suites.length === 0 || !suites.every((suite) => suite.startsWith(prefix))) continue
    for (const [key, value] of Object.entries(options))
      if (!set.has(key) && !set.has(SAME_AS[key])) args.push('-T', `${key}=${value}`)
  }
}

/** Files that a page only names: suites, meshes, logs of other tools, networks, prices. */
function fileOf(/** @type {string} */ arg, /** @type {number} */ at, /** @type {string[]} */ all) {
  const before = all[at - 1] ?? ''
  const [key, path] = /^(models)=(.+)$/.exec(arg)?.slice(1) ?? [before.replace(/^--/, ''), arg]
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? ''
  const tool = valuesOf('--from')[0]
  const isSuite =
    /^\.\.?\/.*\.[cm]?[jt]s$/.test(path) && (command === 'run' || command === 'audit' || before === '--suite')
  const isNamed =
    ['models', 'prices', 'prompts', 'rewritten', 'prompt-file'].includes(key) || (isVbench && key === 'suite')
  const from = isSuite
    ? reader.files.suite
    : isNamed
      ? reader.files[key === 'suite' ? 'prompts' : key]
      : command === 'import' && at === 1
        ? reader.files[tool]
        : command === 'scene' && subcommand === 'show' && at === 2
          ? reader.files[extension]
          : undefined
  if (from === undefined || existsSync(path) || path === 'builtin' || /^https?:/.test(path)) return arg
  // Absolute paths on a page belong to another machine.
  if (path.startsWith('/')) return arg.replace(path, from)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(from, path, { recursive: true })
  return arg
}

function isRun(/** @type {string} */ arg) {
  return arg === 'latest' || /^RUN(?:[-_ ]?(?:[A-Z]|\d|ID))?$/.test(arg) || /^20\d\d-\d\d-\d\dT\d\d/.test(arg)
}

/** `RUN` is the latest run of the page, `RUN_A` and `RUN_B` are the last two of one suite. */
function runOf(/** @type {string} */ arg) {
  const letter = /^RUN[-_ ]?([A-Z]|\d)$/.exec(arg)?.[1]
  if (runsIn(store).length === 0 || (letter && !pairIn(store))) cpSync(reader.store, store, { recursive: true })
  if (arg === 'latest') return arg
  const runs = runsIn(store)
  if (letter) return pairIn(store)[/[A1]/.test(letter) ? 0 : 1]
  return runs.find(({ id }) => id.startsWith(arg))?.id ?? runs.at(-1).id
}

function runsIn(/** @type {string} */ folder) {
  const runs = join(folder, 'runs')
  if (!existsSync(runs)) return []
  return readdirSync(runs)
    .sort()
    .map((id) => ({ id, suite: JSON.parse(readFileSync(join(runs, id, 'run.json'), 'utf8')).suite }))
}

function pairIn(/** @type {string} */ folder) {
  const runs = runsIn(folder)
  for (const { suite } of runs.toReversed()) {
    const same = runs.filter((run) => run.suite === suite).map(({ id }) => id)
    if (same.length > 1) return same.slice(-2)
  }
}

/** Servers run until Ctrl-C; here they stop once they have answered. */
function stopOnceItAnswers() {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (text, ...more) => {
    const [address] = /https?:\/\/[^\s#]+/.exec(String(text)) ?? []
    const page = command === 'serve' ? '/health' : ''
    if (address !== undefined) void visit(address.replace('0.0.0.0', '127.0.0.1') + page)
    return write(text, ...more)
  }
}

/** As a browser opens the printed link: it keeps the cookie and follows the redirect. */
async function opened(/** @type {string} */ address) {
  const first = await fetch(address, { redirect: 'manual' })
  const [cookie = ''] = first.headers.getSetCookie().map((each) => each.split(';')[0])
  return fetch(new URL(first.headers.get('location') ?? '', address), { headers: { cookie } })
}

async function visit(/** @type {string} */ address) {
  const { status } = await opened(address).catch((error) => ({ status: String(error.cause ?? error) }))
  if (status === 200) return process.emit('SIGINT')
  process.stderr.write(`${address} answers ${status}\n`)
  process.exit(1)
}
