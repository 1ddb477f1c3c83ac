/** Which of two colored discs is on the left? A benchmark with images: `sightline run ./left-or-right.ts`. */
import { defineSuite, oneOf, show, svgToPng, user } from 'sightline/suite'

const COLORS = ['red', 'green', 'blue', 'orange'] as const
const [WIDTH, HEIGHT] = [320, 200]

export default defineSuite({
  name: 'left-or-right',
  title: 'Which of two coloured discs is on the left?',
  version: 1,
  *samples({ random }) {
    for (let i = 0; i < 100; i++) {
      const [a, b] = random.sample(COLORS, 2) as [(typeof COLORS)[number], (typeof COLORS)[number]]
      const [ax, bx] = random.shuffle([random.between(40, 140), random.between(180, 280)]) as [number, number]
      yield {
        discs: [
          { color: a, x: ax },
          { color: b, x: bx },
        ],
        answer: ax < bx ? a : b,
      }
    }
  },
  async ask({ discs }, episode) {
    const circles = discs.map(({ color, x }) => `<circle cx="${x}" cy="100" r="30" fill="${color}"/>`).join('')
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${circles}</svg>`
    const picture = await show(episode, await svgToPng(svg, { background: 'white' }))
    return [user`${picture} Which disc is on the left? Answer with its colour.`]
  },
  read: (sample) => oneOf(...sample.discs.map(({ color }) => color)),
  truth: (sample) => sample.answer,
})
