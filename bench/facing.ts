/**
 * What the colors of space/vision's images tell: a small classifier learns, from images of some scenes, which way an
 * object faces and how far away it is, and is tested on other scenes, at every distance that questions use. It sees the
 * part of the image around the object and its bearing, and neither depth nor ids nor the object's name.
 */
import { Random } from '../src/base/random.ts'
import { distanceBinOfSquare } from '../src/suites/space/domain/grid/relations.ts'
import { generateScene } from '../src/suites/space/samples/generate.ts'
import { train } from './facing/classifier.ts'
import { eitherWay, type Sighting, sightingsOf } from './facing/crops.ts'
import { type Bar, type Bench } from './harness.ts'

/** Half as many again have two larger rooms: there are few long views in rooms of 6 × 6 cells. */
const SCENES = { training: 28, test: 14 }
const LARGE_ROOM = 8
/** Sightings of one object at one distance in one scene. */
const MOST = { training: 6, test: 4 }
/** Whole meters. Objects in the published settings, rooms of 6 × 6 cells, are at most 7.8 m away. */
const DISTANCES = [2, 3, 4, 5, 6, 7, 8]
const MAX_AHEAD = 9
const LEAST_PERCENT = 97

const bench: Bench = () => {
  const learned = collect('training')
  const tested = collect('test')
  const facingOf = train(
    learned.map(({ facing }) => facing),
    {
      classes: 4,
      hidden: 64,
      epochs: 12,
      rate: 0.001,
      seed: 'facing',
      vary: eitherWay,
    },
  )
  const aheadOf = train(
    learned.map(({ ahead }) => ahead),
    { classes: MAX_AHEAD + 1, hidden: 48, epochs: 12, rate: 0.001, seed: 'distance' },
  )
  const bin = (meters: number): number => distanceBinOfSquare(Math.round(meters * meters))
  const figures: Record<string, number> = { trainedOn: learned.length, testedOn: tested.length }
  const bars: Record<string, Bar> = {}
  for (const [name, isRight] of [
    ['facing', ({ facing }: Sighting) => facingOf(facing.input) === facing.label],
    [
      'distance bin',
      ({ ahead, distance, distanceAt }: Sighting) => bin(distanceAt(aheadOf(ahead.input))) === bin(distance),
    ],
  ] as const) {
    for (const meters of DISTANCES) {
      const there = tested.filter(({ distance }) => Math.round(distance) === meters)
      const key = `${name} at ${meters} m, percent`
      figures[key] = (100 * there.filter(isRight).length) / there.length
      bars[key] = { atLeast: LEAST_PERCENT }
    }
  }
  return { figures, bars }
}

function collect(set: 'training' | 'test'): Sighting[] {
  const scenes = Array.from({ length: SCENES[set] }, (_, i) => {
    const seed = `facing/${set}/${i}`
    const published = generateScene({ seed, spacing: 'dataset' })
    const large = { seed, spacing: 'dataset', rooms: 2, topology: 0, roomSize: [LARGE_ROOM, LARGE_ROOM] } as const
    return i % 2 === 0 ? [published, generateScene(large)] : [published]
  }).flat()
  return scenes.flatMap((scene, i) => sightingsOf(scene, new Random(`facing/${set}/${i}`), MOST[set]))
}

export default bench
