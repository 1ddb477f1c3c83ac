import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Machines may be busy: only what never comes is a failure. */
const PATIENT = { timeout: 60_000 }

/** Tests of the whole that read the sources and need no build. */
const WITHOUT_BUILD = ['test/docs-reference.test.ts', 'test/old-store.test.ts', 'test/tree.test.ts']

export default defineConfig({
  test: {
    // By default one core is left free; but many tests wait for other processes.
    maxWorkers: availableParallelism(),
    reporters: ['default', './test/count-reporter.ts'],
    projects: [
      {
        test: {
          name: 'modules',
          include: ['{src,kernels,bench,conformance,viewer,scripts}/**/*.test.ts', ...WITHOUT_BUILD],
          pool: 'threads',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: PATIENT },
        },
      },
      {
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: WITHOUT_BUILD,
          globalSetup: './test/build-first.ts',
          pool: 'threads',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: PATIENT },
        },
      },
    ],
  },
})
