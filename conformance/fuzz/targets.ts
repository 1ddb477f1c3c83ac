import { spaceTargets } from './space-targets.ts'
import type { FuzzTarget } from './target.ts'

/** Every profile that reproduces published code, against that code. */
export const targets: Readonly<Record<string, FuzzTarget>> = { ...spaceTargets }
