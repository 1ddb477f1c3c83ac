/** After a walk through a town, are you back where you started? Comes with its own panel for the viewer. */
import { defineSuite, user, yesOrNo } from 'sightline/suite'

const WAYS = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] } as const
const NAMES = ['north', 'east', 'south', 'west'] as const

export default defineSuite({
  name: 'walks',
  title: 'Are you back where you started?',
  version: 1,
  *samples({ random }) {
    for (let i = 0; i < 50; i++) {
      const steps = Array.from({ length: 6 }, () => random.pick(NAMES))
      const off = [0, 1].map((axis) => steps.reduce((sum, step) => sum + WAYS[step][axis]!, 0))
      yield { steps, back: off.every((blocks) => blocks === 0) }
    }
  },
  ask: ({ steps }) => [
    user`You walk one block at a time: ${steps.join(', ')}. Are you back where you started? Answer yes or no.`,
  ],
  read: yesOrNo(),
  truth: (sample) => sample.back,
  viewer: { panel: new URL('./walks-panel.js', import.meta.url) },
})
