/** A limited process for tests: its files never end, take too much memory, or name others. */
import { setTimeout as pause } from 'node:timers/promises'
import { serveReaders } from '../foreign/limited-process.ts'

export interface TestReaders {
  numbers(count: number): { all: Float64Array; first: Buffer }
  loop(payload: null): never
  hoard(payload: null): never
  /** Names another file of this size, and takes some time. */
  named(file: { bytes: number; ms: number }): Promise<string>
  crash(payload: null): Promise<string>
}

const allowMore = serveReaders<TestReaders>({
  numbers: (count) => ({ all: new Float64Array(count).fill(7), first: Buffer.from([7]) }),
  loop() {
    for (;;);
  },
  hoard() {
    for (const all: number[][] = []; ;) all.push(Array<number>(5_000_000).fill(all.length))
  },
  async named({ bytes, ms }) {
    allowMore(bytes)
    // Sent before this process is busy.
    await pause(1)
    const start = performance.now()
    while (performance.now() - start < ms);
    return 'read'
  },
  async crash() {
    process.kill(process.pid, 'SIGSEGV')
    return pause(60_000, 'still there')
  },
})
