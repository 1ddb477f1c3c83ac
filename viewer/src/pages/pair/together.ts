/** Two films that are stepped and played as one. */
import { useMemo } from 'react'
import type { Film } from '../../episode/film.ts'

export function useTogether(a: Film, b: Film): Film {
  return useMemo(() => {
    const both = (act: (film: Film) => void): void => {
      act(a)
      act(b)
    }
    return {
      place: Math.max(a.place, b.place),
      playing: a.playing || b.playing,
      speed: a.speed,
      setSpeed: (speed) => both((film) => film.setSpeed(speed)),
      // When only one of them plays, both stop.
      toggle: () =>
        a.playing === b.playing ? both((film) => film.toggle()) : both((film) => film.playing && film.toggle()),
      step: (by) => both((film) => film.step(by)),
      picture: (direction) => both((film) => film.picture(direction)),
      first: () => both((film) => film.first()),
      last: () => both((film) => film.last()),
    }
  }, [a, b])
}
