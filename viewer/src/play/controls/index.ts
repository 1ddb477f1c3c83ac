/** Play controls per suite or family; other suites use a text field. All controls produce text for the suite's parser. */
import type { ComponentType } from 'react'
import type { PlayTurn } from '../../../../src/server/api.ts'
import type { Point } from './pointable-image.tsx'
import { CriticControls } from './articulate.tsx'
import { RetrieveControls } from './retrieve.tsx'
import { SpaceControls } from './space.tsx'
import { VsigControls } from './vsig.tsx'
import { VsiControls } from './vsi.tsx'

export interface ControlsProps {
  turn: PlayTurn
  /** Sends the reply as a model would write it. */
  send: (text: string) => void
  /** Places marked in the last image, if the suite asks for places. */
  points: readonly Point[]
  setPoints: (points: readonly Point[]) => void
}

const CONTROLS: Readonly<Record<string, ComponentType<ControlsProps>>> = {
  vsi: VsiControls,
  space: SpaceControls,
  vsig: VsigControls,
  'articulate/critic': CriticControls,
  'articulate/retrieve': RetrieveControls,
}

/** Families that ask for places in the last image. */
const WITH_POINTS: ReadonlySet<string> = new Set(['vsig'])

export function asksForPoints(suite: string): boolean {
  return WITH_POINTS.has(suite.split('/')[0]!)
}

/** `null` for suites without dedicated controls. */
export function controlsOf(suite: string): ComponentType<ControlsProps> | null {
  const name = [suite, suite.split('/')[0]!].find((each) => Object.hasOwn(CONTROLS, each))
  return name === undefined ? null : CONTROLS[name]!
}
