/** Small scenes, questions and scripted players for tests of the VSI suites. */
import * as z from 'zod/mini'
import {
  DataFiles,
  type Episode,
  type EpisodeEvent,
  type Message,
  type ModelRequest,
  type Provenance,
  Random,
  sha256,
} from '../../../src/suite.ts'
import type { OrientedBox, TriangleMesh } from '../../../src/world.ts'
import { NO_USAGE } from '../../../src/models/types.ts'
import { boxRoom } from '../world/box-room.ts'
import type { VsiSample } from '../../../src/suites/vsi/samples/sample.ts'
import { type Stage, stageOf } from '../../../src/suites/vsi/domain/scene/stage.ts'
import type { Profile } from '../../../src/suites/vsi/domain/protocol.ts'
import type { QuestionType } from '../../../src/suites/vsi/domain/question-types.ts'
import { vsiEvents } from '../../../src/suites/vsi/events.ts'

export function question(type: QuestionType, options: readonly string[] | null, truth: string): VsiSample {
  return {
    id: 'q1',
    cluster: 'room',
    labels: { type, dataset: 'test' },
    type,
    question: 'What is where?',
    options,
    truth,
    frequent: truth,
    scene: { kind: 'scan', source: 'test', dataset: 'scannet', scene: 'scene0000_00' },
    things: null,
    about: null,
  }
}

export const LETTERS = ['A. left', 'B. right', 'C. back']

/** A gray room with a flat color per object: instance 1 red, 2 blue, 3 green. */
export function coloredRoom(boxes: readonly OrientedBox[], size: readonly [number, number] = [8, 8]): TriangleMesh {
  const mesh = boxRoom({ size, boxes })
  const palette: readonly (readonly [number, number, number])[] = [
    [128, 128, 128],
    [255, 0, 0],
    [0, 0, 255],
    [0, 160, 0],
  ]
  const colors = new Uint8Array(mesh.positions.length)
  for (let t = 0; t < mesh.indices.length / 3; t++) {
    for (let k = 0; k < 3; k++) colors.set(palette[mesh.triangleInstances![t]!]!, mesh.indices[t * 3 + k]! * 3)
  }
  return { ...mesh, colors }
}

export function roomStage(boxes: readonly OrientedBox[] = [], size: readonly [number, number] = [8, 8]): Stage {
  return stageOf(coloredRoom(boxes, size), 'test-room')
}

export interface Played {
  episode: Episode<Profile>
  /** Every message list that was sent, in order. */
  asked: (readonly Message[])[]
  purposes: string[]
  events: EpisodeEvent[]
  kept: Kept[]
}

interface Kept {
  type: string
  bytes: Uint8Array
  provenance: Provenance
}

/** Every recorded event must match its schema. */
const RECORDED = z.union(Object.values(vsiEvents))

/** An episode whose player gives these replies, repeating the last one. */
export function scripted(
  replies: readonly (string | ((request: ModelRequest) => string | Promise<string>))[],
  profile: Profile = 'official',
  roots: Readonly<Record<string, string>> = {},
): Played {
  const asked: (readonly Message[])[] = []
  const purposes: string[] = []
  const events: EpisodeEvent[] = []
  const kept: Kept[] = []
  const episode: Episode<Profile> = {
    profile,
    epoch: 0,
    has: () => true,
    ask: async (_, messages, how = {}) => {
      const next = replies[Math.min(asked.length, replies.length - 1)]!
      asked.push(messages)
      purposes.push(how.purpose ?? '')
      const request: ModelRequest = {
        messages,
        sampling: {},
        epoch: 0,
        origin: { sampleId: 'q1', ordinal: asked.length, role: 'player' },
        baselineInput: how.baselineInput,
      }
      const text = typeof next === 'string' ? next : await next(request)
      return { text, finish: 'stop', usage: NO_USAGE, ms: 0, cached: false }
    },
    keep: (bytes, type, provenance) => {
      kept.push({ type, bytes, provenance })
      return Promise.resolve({ sha256: sha256(bytes), type, bytes: bytes.length })
    },
    fileOf: ({ sha256: hash }) => hash,
    files: new DataFiles(roots),
    note: (event) => {
      z.parse(RECORDED, event)
      events.push(event)
    },
    progress: () => undefined,
    random: new Random('test'),
    signal: new AbortController().signal,
  }
  return { episode, asked, purposes, events, kept }
}
