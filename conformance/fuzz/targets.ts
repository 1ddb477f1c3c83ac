import type { FuzzTarget } from './target.ts'
import { vsiTargets } from './vsi.ts'

/** Every profile that reproduces published code, against that code. */
export const targets: Readonly<Record<string, FuzzTarget>> = {
  ...vsiTargets,
}
