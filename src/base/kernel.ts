/** Compiled kernels: WebAssembly made of `kernels/`, which lies beside the module that calls it. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { UserError } from './errors.ts'

const PAGE = 65_536
const MAX_PAGES = 65_536

export type Call = (...numbers: number[]) => number

export function compileKernel(url: URL): WebAssembly.Module {
  let code: Uint8Array
  try {
    code = readFileSync(url)
  } catch (cause) {
    throw new UserError(`The compiled ${basename(url.pathname)} is missing.`, { hint: 'Run `npm run build`.', cause })
  }
  return new WebAssembly.Module(code)
}

/** What the kernel exports, by name. It works in the memory that it is given. */
export function kernelCalls<const Name extends string>(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  names: readonly Name[],
): Readonly<Record<Name, Call>> {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  const calls = names.map((name): [Name, Call] => {
    const call = exports[name]
    if (typeof call !== 'function') throw new TypeError(`The kernel exports no function ${name}.`)
    return [name, call as Call]
  })
  return Object.fromEntries(calls) as Record<Name, Call>
}

export function kernelMemory(pages = 1): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: pages, maximum: MAX_PAGES, shared: true })
}

/** Lets a memory have at least so many bytes. Views of it made before do not see what is new. */
export function growTo(memory: WebAssembly.Memory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE)
  if (missing > 0) memory.grow(missing)
}
