/** Options that several commands have. */
import { Option } from 'commander'
import { collect, collectIds, keyValues, numberIn, RANGES } from './arguments.ts'

export const logDir = () =>
  new Option('--log-dir <folder>', 'folder for runs, media and cached replies')
    .env('SIGHTLINE_LOG_DIR')
    .default('.sightline')
export const config = () => new Option('-c, --config <file>', 'config file (default: ./sightline.config.*)')
export const guestSuite = () =>
  new Option('--suite <file|package>', 'load a custom suite; repeatable').argParser(collect)
export const json = () => new Option('--json', 'print the result to stdout as JSON')
export const all = () => new Option('--all', 'all rows and intervals, not only the headline and its parts')
export const lease = () =>
  new Option('--lease <seconds>', 'worker heartbeat timeout (default: 30)').argParser(numberIn(RANGES.lease))
export const threads = () =>
  new Option('--threads <n>', 'threads for CPU-heavy work (default: cores)').argParser(numberIn(RANGES.threads))
export const allowBaseUrl = () =>
  new Option('--allow-base-url <url>', 'address that may get your API keys; repeatable').argParser(collect)
export const allowVariable = () =>
  new Option('--allow-variable <name>', 'environment variable that its headers may contain; repeatable').argParser(
    collect,
  )
export const noFailFast = () => new Option('--no-fail-fast', 'play on when key, model, quota or server fail')
export const failOnError = () => new Option('--fail-on-error <n|n%>', 'stop when more episodes end in an error')
export const profile = (what: string) => new Option('--profile <name>', what)
export const movedSource = () => new Option('--source <source>', 'new location of its samples, if they moved')
export const task = () =>
  new Option('-T, --task <key=value>', 'suite option (see `sightline list SUITE`)').argParser(keyValues)
export const source = () => new Option('--source <name[:where]>', 'sample source: builtin:seed=7 or NAME:/path')
export const limit = () => new Option('-l, --limit <n|a-b>', 'first n samples, or samples a to b')
export const sample = () =>
  new Option('--sample <n>', 'draw n samples, spread over scenes and types').argParser(numberIn(RANGES.sample))
export const sampleId = () =>
  new Option('--sample-id <id>', 'only this sample; repeatable; @FILE: one id per line').argParser(collectIds)
export const seed = () => new Option('--seed <n>', 'random seed (default: 0)').argParser(numberIn(RANGES.seed))
