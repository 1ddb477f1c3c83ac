/** Controls two playbacks as one. */
import { useMemo } from 'react'
import type { Playback } from '../../episode/playback.ts'

export function useBothPlaybacks(a: Playback, b: Playback): Playback {
  return useMemo(() => {
    const both = (act: (playback: Playback) => void): void => {
      act(a)
      act(b)
    }
    return {
      index: Math.max(a.index, b.index),
      playing: a.playing || b.playing,
      speed: a.speed,
      setSpeed: (speed) => both((playback) => playback.setSpeed(speed)),
      // If only one is playing, stop it.
      toggle: () =>
        a.playing === b.playing
          ? both((playback) => playback.toggle())
          : both((playback) => playback.playing && playback.toggle()),
      step: (by) => both((playback) => playback.step(by)),
      image: (direction) => both((playback) => playback.image(direction)),
      first: () => both((playback) => playback.first()),
      last: () => both((playback) => playback.last()),
    }
  }, [a, b])
}
