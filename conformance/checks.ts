import type { Check } from './check.ts'

/** Which check reads which oracle file. */
export const checks: Readonly<Record<string, Check>> = {}
