/** Events that an episode records for the viewer. docs/suites/vsig describes the fields. */
import { z } from 'zod'

const pair = z.tuple([z.number(), z.number()]).readonly()
const size = z.object({ width: z.number(), height: z.number() })

/** A mask: the annotated PNG, and its shape as SVG path data in mask pixels. */
const mask = z.object({
  /** SHA-256 of the PNG. */
  media: z.string(),
  /** `[x1, y1, x2, y2]` in pixels, as annotated. */
  box: z.array(z.number()).readonly().nullable(),
  /** The frame's size in mask pixels, and the position of the mask in it. */
  frame: size,
  offset: pair,
  path: z.string(),
})
export type Mask = z.output<typeof mask>

/** A frame that was shown. */
const frame = z.object({ type: z.literal('vsig/frame'), frame: z.number(), ms: z.number(), picture: z.string() })
export type FrameEvent = z.output<typeof frame>

/** The clip: its words, its last frame, and its ground truth. */
const clip = z.object({
  type: z.literal('vsig/clip'),
  template: z.string(),
  language: z.enum(['zh', 'en']),
  lastFrame: z.string().nullable(),
  video: z.string().nullable(),
  frame: size,
  frames: z.number(),
  fps: z.number(),
  durationMs: z.number(),
  said: z.string().nullable(),
  words: z.array(z.object({ text: z.string(), begin: z.number(), end: z.number() })),
  meant: z.string().nullable(),
  slots: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['object', 'area']),
      points: z.array(pair).readonly(),
      /** Of an object, or the region that an area means. */
      mask: mask.nullable(),
      area: z.object({ center: pair, radius: z.number() }).nullable(),
      window: pair.nullable(),
      /** Why the slot has no window. */
      unmeasured: z.string().nullish(),
    }),
  ),
  references: z.array(z.object({ name: z.string(), points: z.array(pair), mask: mask.nullable() })),
})
export type ClipEvent = z.output<typeof clip>

/** What the transcriber heard. */
const heard = z.object({
  type: z.literal('vsig/heard'),
  text: z.string(),
  words: z.array(z.object({ text: z.string(), begin: z.number(), end: z.number() })),
  /** Why there is no transcript. */
  problem: z.string().nullable(),
})
export type HeardEvent = z.output<typeof heard>

/** The answer compared with the ground truth. Drawings are referenced by SHA-256. */
const answer = z.object({
  type: z.literal('vsig/answer'),
  overlaySvg: z.string(),
  overlayPng: z.string(),
  timelineSvg: z.string(),
  timelinePng: z.string(),
  command: z.string().nullable(),
  points: z.array(
    z.object({
      point: pair.nullable(),
      written: pair.nullable(),
      description: z.string(),
      time: z.union([z.number(), pair]).nullable(),
    }),
  ),
  slots: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['object', 'area']),
      point: pair.nullable(),
      spatial: z.boolean(),
      temporal: z.boolean().nullable(),
      moment: z.number().nullable(),
      errorMs: z.number().nullable(),
      overlap: z.number().nullable(),
      near: z.boolean().nullish(),
      pixels: z.number().nullable(),
      hullPixels: z.number().nullable(),
    }),
  ),
  windows: z.array(z.union([pair, z.string()])),
  intent: z.number().nullish(),
  judge: z.object({ score: z.number().nullable(), reply: z.string().nullish() }).nullish(),
})
export type AnswerEvent = z.output<typeof answer>

export const events = { 'vsig/frame': frame, 'vsig/clip': clip, 'vsig/heard': heard, 'vsig/answer': answer }
