import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'kernels/**/*.test.ts', 'conformance/**/*.test.ts'],
    pool: 'threads',
    testTimeout: 60_000,
    reporters: ['default', './test/count-reporter.ts'],
  },
})
