/**
 * Runs a small command-line program compiled to WebAssembly in a sandbox without files, clock or randomness, so its
 * output is deterministic. One file written anywhere under /out is kept in memory. (Node's own WASI is experimental,
 * warns on every start, and needs a real folder.)
 */
export interface WasiResult {
  status: number
  /** Combined stdout and stderr. */
  text: string
  /** Contents of the written file. */
  file: Uint8Array<ArrayBuffer>
}

const FOLDER = '/out'
const FOLDER_FD = 3
const FILE_FD = 4
const DONE = 0
const BAD_FD = 8
const NO_ENTRY = 44
const NOT_CAPABLE = 76
const CREATE = 1
const ALL_RIGHTS = 0xff_ff_ff_ff_ff_ff_ff_ffn
/** A minute of speech is 2 MB. */
const FILE_LIMIT = 256 << 20
const TEXT_LIMIT = 100_000

class Exit extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the program exited with status ${status}`)
    this.status = status
  }
}

export function runWasi(module: WebAssembly.Module, args: readonly string[]): WasiResult {
  const encodedArgs = args.map((arg) => Buffer.from(`${arg.replaceAll('\0', ' ')}\0`, 'utf8'))
  const folder = Buffer.from(FOLDER, 'utf8')
  let text = ''
  let file = new Uint8Array(1 << 16)
  let length = 0
  let position = 0
  let memory: { readonly buffer: ArrayBuffer } | undefined
  // Growing the memory replaces its buffer, so views are created on each access.
  const bytes = (): Uint8Array => new Uint8Array(memory!.buffer)
  const view = (): DataView => new DataView(memory!.buffer)

  function append(part: Uint8Array): void {
    const end = position + part.length
    if (end > FILE_LIMIT) throw new Error('the program writes more than 256 MB')
    if (end > file.length) {
      const larger = new Uint8Array(Math.max(end, file.length * 2))
      larger.set(file.subarray(0, length))
      file = larger
    }
    file.set(part, position)
    position = end
    length = Math.max(length, end)
  }

  const calls = {
    args_sizes_get(count: number, size: number): number {
      view().setUint32(count, encodedArgs.length, true)
      view().setUint32(
        size,
        encodedArgs.reduce((sum, arg) => sum + arg.length, 0),
        true,
      )
      return DONE
    },
    args_get(pointers: number, start: number): number {
      let at = start
      for (const [i, arg] of encodedArgs.entries()) {
        view().setUint32(pointers + i * 4, at, true)
        bytes().set(arg, at)
        at += arg.length
      }
      return DONE
    },
    clock_time_get(_clock: number, _precision: bigint, at: number): number {
      view().setBigUint64(at, 0n, true)
      return DONE
    },
    fd_close: (): number => DONE,
    fd_fdstat_get(fd: number, at: number): number {
      if (fd > FILE_FD) return BAD_FD
      bytes().fill(0, at, at + 24)
      // File types: 2 terminal, 3 directory, 4 regular file.
      bytes()[at] = fd === FOLDER_FD ? 3 : fd === FILE_FD ? 4 : 2
      view().setBigUint64(at + 8, ALL_RIGHTS, true)
      view().setBigUint64(at + 16, ALL_RIGHTS, true)
      return DONE
    },
    fd_fdstat_set_flags: (): number => DONE,
    fd_prestat_get(fd: number, at: number): number {
      if (fd !== FOLDER_FD) return BAD_FD
      view().setUint32(at, 0, true)
      view().setUint32(at + 4, folder.length, true)
      return DONE
    },
    fd_prestat_dir_name(fd: number, at: number, size: number): number {
      if (fd !== FOLDER_FD) return BAD_FD
      bytes().set(folder.subarray(0, size), at)
      return DONE
    },
    fd_read(_fd: number, _parts: number, _count: number, got: number): number {
      view().setUint32(got, 0, true)
      return DONE
    },
    fd_seek(fd: number, offset: bigint, from: number, at: number): number {
      if (fd !== FILE_FD) return NOT_CAPABLE
      position = Math.max(0, Number(offset) + [0, position, length][from]!)
      view().setBigUint64(at, BigInt(position), true)
      return DONE
    },
    fd_write(fd: number, parts: number, count: number, wrote: number): number {
      let sum = 0
      for (let i = 0; i < count; i++) {
        const start = view().getUint32(parts + i * 8, true)
        const part = bytes().slice(start, start + view().getUint32(parts + i * 8 + 4, true))
        if (fd === FILE_FD) append(part)
        else if (text.length < TEXT_LIMIT) text += Buffer.from(part).toString('utf8')
        sum += part.length
      }
      view().setUint32(wrote, sum, true)
      return DONE
    },
    path_open(
      _folder: number,
      _lookup: number,
      _path: number,
      _length: number,
      openFlags: number,
      _rights: bigint,
      _inherited: bigint,
      _flags: number,
      at: number,
    ): number {
      if ((openFlags & CREATE) === 0) return NO_ENTRY
      length = position = 0
      view().setUint32(at, FILE_FD, true)
      return DONE
    },
    proc_exit(status: number): never {
      throw new Exit(status)
    },
  }
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: calls })
  const { memory: exported, _start: start } = exports
  if (!isMemory(exported) || typeof start !== 'function') throw new Error('not a WASI program')
  memory = exported
  let status = 0
  try {
    start()
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    status = error.status
  }
  return { status, text, file: file.slice(0, length) }
}

function isMemory(value: unknown): value is { readonly buffer: ArrayBuffer } {
  return typeof value === 'object' && value !== null && 'buffer' in value && value.buffer instanceof ArrayBuffer
}
