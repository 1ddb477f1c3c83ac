/** Suites that are nothing but work: pictures that are kept, or pictures that are drawn. */
import { compass } from '../../test/support/compass.ts'
import type { AnySuite, SampleBase, Episode } from '../../src/engine/suite.ts'
import { prepareScene, Renderer } from '../../src/world/render/index.ts'
import { furnishedRoom, walk } from '../render/room.ts'

const PICTURE_BYTES = 100_000
const NOTES = 40
/** A note of about half a kilobyte: forty of them are the log of an ordinary episode. */
const NOTE = 'a model thinks aloud about where it is and what it sees '.repeat(9)

/** One new picture of 100 kB and 20 kB of log an episode, and no work: what is measured is the queue. */
const pictures: AnySuite = {
  ...compass,
  name: 'pictures',
  async play(sample: SampleBase, episode: Episode<'exact'>, options: unknown) {
    const bytes = Buffer.alloc(PICTURE_BYTES, sample.id)
    await episode.keep(bytes, 'image/png', { made: 'drawing' })
    for (let i = 0; i < NOTES; i++) episode.note({ type: 'thought', i, words: NOTE })
    return compass.play(sample as never, episode, options as never)
  },
}

const TRIANGLES = 250_000
const DRAWN = 20
const SIZE = { width: 640, height: 480 }
let renderer: Renderer | undefined

export function drawEpisode(): void {
  renderer ??= new Renderer(prepareScene(furnishedRoom(TRIANGLES, false)))
  for (const camera of walk(DRAWN, SIZE.width, SIZE.height)) {
    renderer.render(camera, { ...SIZE, depth: true, ids: true })
  }
}

/** Draws, and keeps nothing: what is measured is how many cores draw. */
const render: AnySuite = {
  ...compass,
  name: 'render',
  play(sample: SampleBase, episode: Episode<'exact'>, options: unknown) {
    drawEpisode()
    return compass.play(sample as never, episode, options as never)
  },
}

const suites = new Map([pictures, render].map((suite) => [suite.name, suite]))

export function loadSuite(name: string): Promise<AnySuite> {
  return Promise.resolve(suites.get(name)!)
}
