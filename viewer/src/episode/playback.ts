/** Episode playback: playing, stepping, and keyboard shortcuts. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type KeyAction, useKeys } from '../ui/keys.ts'
import { indexAt } from './moments.ts'
import type { Moment } from './panel.ts'

export const SPEEDS = [0.5, 1, 2, 4] as const
/** Duration of a step at speed 1. */
const STEP_MS = 900

export interface Playback {
  /** Index of the current step in `moments`; −1 before the first. */
  index: number
  playing: boolean
  speed: number
  toggle: () => void
  setSpeed: (speed: number) => void
  /** Moves by a number of steps. */
  step: (by: number) => void
  /** Moves to the next or previous image. */
  image: (direction: 1 | -1) => void
  first: () => void
  last: () => void
}

export function usePlayback(moments: readonly Moment[], at: number, seek: (at: number) => void): Playback {
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const index = indexAt(moments, at)
  // A ref keeps handlers and the timer stable across steps.
  const now = useRef({ moments, index, seek })
  now.current = { moments, index, seek }

  const go = useCallback((to: number) => {
    const { moments, seek } = now.current
    const moment = moments[Math.min(moments.length - 1, Math.max(0, to))]
    if (moment) seek(moment.at)
  }, [])

  useEffect(() => {
    if (!playing) return
    const timer = setInterval(() => {
      const { moments, index } = now.current
      if (index >= moments.length - 1) setPlaying(false)
      else go(index + 1)
    }, STEP_MS / speed)
    return () => clearInterval(timer)
  }, [playing, speed, go])

  return useMemo(
    () => ({
      index,
      playing,
      speed,
      setSpeed,
      toggle: () => {
        // At the end, restart from the beginning.
        if (!playing && now.current.index >= now.current.moments.length - 1) go(0)
        setPlaying(!playing)
      },
      step: (by: number) => {
        setPlaying(false)
        go(now.current.index + by)
      },
      image: (direction: 1 | -1) => {
        const { moments, index } = now.current
        const images = moments.flatMap(({ kind }, i) => (kind === 'picture' || kind === 'move' ? [i] : []))
        const to = direction > 0 ? images.find((i) => i > index) : images.findLast((i) => i < index)
        setPlaying(false)
        if (to !== undefined) go(to)
      },
      first: () => go(0),
      last: () => go(now.current.moments.length - 1),
    }),
    [index, playing, speed, go],
  )
}

/** Shortcuts for the next and previous episode. */
export function episodeKeys(previous: (() => void) | undefined, next: (() => void) | undefined): KeyAction[] {
  return [
    ...(next ? [{ keys: ['j', ']'], title: 'Next episode', run: next }] : []),
    ...(previous ? [{ keys: ['k', '['], title: 'Previous episode', run: previous }] : []),
  ]
}

/** Registers the playback shortcuts, plus further ones for the same help section. */
export function usePlaybackKeys(playback: Playback, on: boolean, more: readonly KeyAction[] = []): void {
  useKeys(
    'Episode',
    [
      { keys: [' '], title: 'Play/pause', run: playback.toggle },
      {
        keys: ['ArrowRight'],
        title: 'Next step (with Shift: next image)',
        run: ({ shiftKey }) => (shiftKey ? playback.image(1) : playback.step(1)),
      },
      {
        keys: ['ArrowLeft'],
        title: 'Previous step (with Shift: previous image)',
        run: ({ shiftKey }) => (shiftKey ? playback.image(-1) : playback.step(-1)),
      },
      { keys: ['Home'], title: 'First step', run: playback.first },
      { keys: ['End'], title: 'Last step', run: playback.last },
      ...more,
    ],
    on,
  )
}
