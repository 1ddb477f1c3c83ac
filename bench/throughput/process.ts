/** A server of a benchmark in a process of its own, and what processes cost. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export class ServerProcess<Counted> {
  readonly url: string
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>

  private constructor(child: ChildProcess, lines: AsyncIterator<string>, url: string) {
    this.#child = child
    this.#lines = lines
    this.url = url
  }

  /** @param file in this folder */
  static async start<Counted>(file: string, ...args: number[]): Promise<ServerProcess<Counted>> {
    const script = fileURLToPath(new URL(file, import.meta.url))
    const child = spawn(process.execPath, ['--import', 'tsx', script, ...args.map(String)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const { value } = await lines.next()
    return new ServerProcess<Counted>(child, lines, String(value))
  }

  /** What it has counted; `server.ts` starts anew, with empty caches. */
  async counted(): Promise<Counted> {
    this.#child.stdin!.write('\n')
    const { value } = await this.#lines.next()
    return JSON.parse(String(value)) as Counted
  }

  stop(): void {
    this.#child.kill()
  }
}

const TICKS_PER_SECOND = 100

/** CPU time of the processes that this one has waited for. */
export async function childCpuSeconds(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'utf8')
  // The name in parentheses may have spaces. `cutime` and `cstime` are fields 16 and 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}
