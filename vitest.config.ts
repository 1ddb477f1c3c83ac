import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: ['default', './test/count-reporter.ts'],
    projects: [
      {
        test: {
          name: 'modules',
          include: ['{src,kernels,conformance,viewer}/**/*.test.ts'],
          pool: 'threads',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          globalSetup: './test/build-first.ts',
          pool: 'threads',
          testTimeout: 180_000,
          // Machines may be busy: only what never comes is a failure.
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
})
