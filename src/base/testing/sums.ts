/** A thread for tests: adds, calls back, loops and exits. */
import type { Channel } from '../channel.ts'
import { serveThread } from '../thread.ts'

export interface Sums {
  add(numbers: readonly number[]): number
  /** Adds the main thread's values for these names. */
  addNamed(names: readonly string[]): Promise<number>
  loop(): never
  end(code: number): Promise<never>
}

export interface Names {
  valueOf(name: string): Promise<number>
}

const main: Channel<Sums, Names> = serveThread<Sums, Names>({
  add: (numbers) => numbers.reduce((sum, number) => sum + number, 0),
  async addNamed(names) {
    const values = await Promise.all(names.map((name) => main.call('valueOf', name)))
    return values.reduce((sum, value) => sum + value, 0)
  },
  loop() {
    for (;;);
  },
  end: (code) => process.exit(code),
})
