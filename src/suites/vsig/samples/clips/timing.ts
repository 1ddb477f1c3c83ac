/** When the voice speaks and the hand points. Silences, pauses and lags are drawn, so that words do not give times away. */
import type { Random } from '../../../../suite.ts'
import type { Word } from '../../domain/annotation.ts'
import type { Language, Template } from '../../domain/templates.ts'
import { spokenWindows, type Window } from '../../domain/windows.ts'
import type { ClipKnobs } from './levels.ts'
import { type Phrase, timePhrases } from './speech.ts'

export const FPS = 15

/** Time of frame `index`, in milliseconds. */
export function frameMs(index: number): number {
  return (index / FPS) * 1000
}

/** A time in which the hand holds still. */
export interface Hold {
  /** In milliseconds. */
  hold: Window
  /** The slot that is meant; null if nothing is. */
  slot: number | null
  /** Whether the index finger is out. */
  pointing: boolean
}

/** Time the hand takes from one target to the next. */
export const HAND_MOVE_MS = 420
/** Time it takes to leave the frame. */
export const HAND_LEAVE_MS = 590

/** Shortest silence before the first word, between phrases, and after the last word. */
const SHORTEST = { before: 750, between: 560, after: 1000 } as const
/** What all silences of a clip have together beyond these, split at random. */
const SPARE_MS = [5000, 7500] as const
/** How much earlier than the words the hand arrives, and how much later it leaves; less than 0: it lags. */
const LAG_MS = [-150, 380] as const
const SHORTEST_HOLD = 480
/** How long a hand points without a word. */
const SILENT_MS = [800, 1500] as const
/** How long the hand hovers or points where nothing is meant, and the time it needs before and after. */
const IDLE_MS = [550, 950] as const
const IDLE_MARGIN = 460

export interface Timing {
  words: Word[]
  /** In order of time. */
  holds: Hold[]
  frames: number
  durationMs: number
}

/** Null if the drawn times do not fit. */
export function timeClip(
  template: Template,
  spoken: readonly Phrase[],
  language: Language,
  knobs: ClipKnobs,
  random: Random,
): Timing | null {
  const silences = drawSilences(Math.max(1, spoken.length), random)
  const words = timePhrases(spoken, silences, language, random)
  const windows = spoken.length > 0 ? spokenWindows(template, words) : [silentWindow(silences[0]!, random)]
  if (!windows) return null
  const meant = windows.map(([begin, end], slot): Hold => {
    const lag = (): number => (spoken.length === 0 ? 0 : Math.round(random.range(...LAG_MS)))
    return { hold: [begin - lag(), end + lag()], slot, pointing: true }
  })
  const ends = Math.max(words.at(-1)?.end_time ?? 0, meant.at(-1)!.hold[1])
  const frames = Math.ceil(((ends + silences.at(-1)!) / 1000) * FPS)
  const durationMs = Math.round((frames / FPS) * 1000)
  // In a clip without words nothing would tell which one is meant.
  const pointless = spoken.length === 0 ? 0 : knobs.pointless
  const holds = withIdle(meant, durationMs, { ...knobs, pointless }, random)
  return isFeasible(holds, durationMs) ? { words, holds, frames, durationMs } : null
}

/** The higher, the more the silences of a clip differ: evenly spread ones would give times away. */
const UNEVEN = 2

/** One silence before each phrase and one after the last. */
function drawSilences(phrases: number, random: Random): number[] {
  const spare = random.range(...SPARE_MS)
  const weights = Array.from({ length: phrases + 1 }, () => random.range(0.05, 1) ** UNEVEN)
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight, i) => {
    const least = i === 0 ? SHORTEST.before : i === phrases ? SHORTEST.after : SHORTEST.between
    return Math.round(least + (spare * weight) / all)
  })
}

function silentWindow(start: number, random: Random): Window {
  return [start, start + Math.round(random.range(...SILENT_MS))]
}

/** Adds a hand that hovers, and one that points while nothing is said, where there is time for it. */
function withIdle(meant: readonly Hold[], durationMs: number, knobs: ClipKnobs, random: Random): Hold[] {
  const holds = [...meant]
  for (const pointing of [false, true]) {
    if (!random.chance(pointing ? knobs.pointless : knobs.hovering)) continue
    const length = random.range(...IDLE_MS)
    const gaps = gapsBetween(holds, durationMs).filter(([from, to]) => to - from > length + 2 * IDLE_MARGIN)
    if (gaps.length === 0) continue
    const [from, to] = random.pick(gaps)
    const begin = Math.round(random.range(from + IDLE_MARGIN, to - IDLE_MARGIN - length))
    holds.push({ hold: [begin, Math.round(begin + length)], slot: null, pointing })
    holds.sort((a, b) => a.hold[0] - b.hold[0])
  }
  return holds
}

function gapsBetween(holds: readonly Hold[], durationMs: number): Window[] {
  const begins = [...holds.map(({ hold }) => hold[0]), durationMs - HAND_LEAVE_MS]
  const ends = [0, ...holds.map(({ hold }) => hold[1])]
  return begins.map((begin, i): Window => [ends[i]!, begin])
}

/** The hand has time to move, and is gone in the first and last frame. */
function isFeasible(holds: readonly Hold[], durationMs: number): boolean {
  const last = holds.at(-1)!.hold[1]
  return (
    holds.every(
      ({ hold: [begin, end] }, i) =>
        end - begin >= SHORTEST_HOLD && begin - (holds[i - 1]?.hold[1] ?? 0) >= HAND_MOVE_MS,
    ) && durationMs - last >= HAND_LEAVE_MS + 200
  )
}
