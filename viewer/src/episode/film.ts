/** Playing an episode: a moment a beat, stepping, and the keys for it. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type KeyAction, useKeys } from '../ui/keys.ts'
import { placeOf } from './moments.ts'
import type { Moment } from './panel.ts'

export const SPEEDS = [0.5, 1, 2, 4] as const
/** How long a moment is looked at, at speed 1. */
const BEAT_MS = 900

export interface Film {
  /** Position in `moments` of the one that is looked at; −1 before the first. */
  place: number
  playing: boolean
  speed: number
  toggle: () => void
  setSpeed: (speed: number) => void
  /** Steps over moments, forwards or backwards. */
  step: (by: number) => void
  /** To the next or previous picture. */
  picture: (direction: 1 | -1) => void
  first: () => void
  last: () => void
}

export function useFilm(moments: readonly Moment[], at: number, seek: (at: number) => void): Film {
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const place = placeOf(moments, at)
  // Handlers and the beat see the present without being made anew at every moment.
  const now = useRef({ moments, place, seek })
  now.current = { moments, place, seek }

  const go = useCallback((to: number) => {
    const { moments, seek } = now.current
    const moment = moments[Math.min(moments.length - 1, Math.max(0, to))]
    if (moment) seek(moment.at)
  }, [])

  useEffect(() => {
    if (!playing) return
    const beat = setInterval(() => {
      const { moments, place } = now.current
      if (place >= moments.length - 1) setPlaying(false)
      else go(place + 1)
    }, BEAT_MS / speed)
    return () => clearInterval(beat)
  }, [playing, speed, go])

  return useMemo(
    () => ({
      place,
      playing,
      speed,
      setSpeed,
      toggle: () => {
        // From the end it starts again.
        if (!playing && now.current.place >= now.current.moments.length - 1) go(0)
        setPlaying(!playing)
      },
      step: (by: number) => {
        setPlaying(false)
        go(now.current.place + by)
      },
      picture: (direction: 1 | -1) => {
        const { moments, place } = now.current
        const pictures = moments.flatMap(({ kind }, i) => (kind === 'picture' || kind === 'move' ? [i] : []))
        const to = direction > 0 ? pictures.find((i) => i > place) : pictures.findLast((i) => i < place)
        setPlaying(false)
        if (to !== undefined) go(to)
      },
      first: () => go(0),
      last: () => go(now.current.moments.length - 1),
    }),
    [place, playing, speed, go],
  )
}

/** From one episode to the next: the same keys wherever there is one. */
export function episodeKeys(previous: (() => void) | undefined, next: (() => void) | undefined): KeyAction[] {
  return [
    ...(next ? [{ keys: ['j', ']'], title: 'Next episode', run: next }] : []),
    ...(previous ? [{ keys: ['k', '['], title: 'Previous episode', run: previous }] : []),
  ]
}

/** The keys of a film, and what else they are shown with. */
export function useFilmKeys(film: Film, on: boolean, more: readonly KeyAction[] = []): void {
  useKeys(
    'Episode',
    [
      { keys: [' '], title: 'Play or pause', run: film.toggle },
      {
        keys: ['ArrowRight'],
        title: 'Next moment; with shift, next picture',
        run: ({ shiftKey }) => (shiftKey ? film.picture(1) : film.step(1)),
      },
      {
        keys: ['ArrowLeft'],
        title: 'Previous moment; with shift, previous picture',
        run: ({ shiftKey }) => (shiftKey ? film.picture(-1) : film.step(-1)),
      },
      { keys: ['Home'], title: 'Start', run: film.first },
      { keys: ['End'], title: 'End', run: film.last },
      ...more,
    ],
    on,
  )
}
