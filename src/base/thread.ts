/** Threads that load a module of this project, compiled or from its sources. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread. Compiled, a thread reads its file; from the sources it must first be taught TypeScript, as tsx does it.
 *
 * @example
 * const thread = startThread('./thread', import.meta.url)
 */
export function startThread(path: string, from: string, options: WorkerOptions = {}): Worker {
  if (!from.endsWith('.ts')) return new Worker(new URL(`${path}.js`, from), options)
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'))
  const reader = JSON.stringify(new URL('./dist/esm/api/index.mjs', tsx).href)
  const file = JSON.stringify(new URL(`${path}.ts`, from).href)
  const source = `import(${reader}).then(({ register }) => { register(); return import(${file}) })`
  return new Worker(source, { ...options, eval: true, execArgv: [] })
}

/** The address of another module, as it is called where the asking one runs: compiled or not. */
export function moduleBeside(path: string, from: string): string {
  return new URL(`${path}${from.endsWith('.ts') ? '.ts' : '.js'}`, from).href
}
