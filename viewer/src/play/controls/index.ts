/** The controls of each family of suites; suites of others are answered in words. All of them end in words that the suite's own parser reads. */
import type { ComponentType } from 'react'
import type { PlayTurn } from '../../../../src/server/api.ts'
import { SpaceControls } from './space.tsx'
import { VsigControls } from './vsig.tsx'
import { VsiControls } from './vsi.tsx'

export interface ControlsProps {
  turn: PlayTurn
  /** Sends the reply, as a model would write it. */
  send: (text: string) => void
}

const CONTROLS: Readonly<Record<string, ComponentType<ControlsProps>>> = {
  vsi: VsiControls,
  space: SpaceControls,
  vsig: VsigControls,
}

/** Null for suites whose pages have none. */
export function controlsOf(suite: string): ComponentType<ControlsProps> | null {
  const family = suite.split('/')[0]!
  return Object.hasOwn(CONTROLS, family) ? CONTROLS[family]! : null
}
