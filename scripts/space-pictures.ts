/** Draws docs/suites/space/episode.png: a proxy agent's exploration with a blurred memory of positions. */
import { mkdir, writeFile } from 'node:fs/promises'
import { Random } from '../src/base/random.ts'
import { svgToPng } from '../src/media/svg.ts'
import { drawEpisode } from './space-draw.ts'
import { Progress } from '../src/suites/space/domain/explore/progress.ts'
import { generateScene } from '../src/suites/space/samples/generate.ts'
import { runProxy } from '../src/suites/space/domain/proxies/run.ts'
import { replay, repliesOf, startPassive } from '../src/suites/space/domain/explore/replay.ts'
import { trueGlobalMap } from '../src/suites/space/domain/belief/ground-truth.ts'

const folder = new URL('../docs/suites/space/', import.meta.url)
/** Wider than high, because it goes at the top of a page. */
const scene = generateScene({
  seed: 'picture',
  rooms: 3,
  topology: 1,
  spacing: 'dataset',
  accept: ({ mask }) => mask.length > mask[0]!.length * 1.4,
})
const { turns: plan } = runProxy('scout', scene, 'fixed')
const progress = new Progress(scene, 'fixed')
const turns = replay(startPassive(scene, 'fixed', plan.length), repliesOf(plan), progress)
const poses = turns.flatMap(({ turn, state }) => (turn.view ? [state.pose] : []))
const { pose, observed } = turns.at(-1)!.state

/** Distant objects are blurred more than near ones. */
const random = new Random('blur')
const belief = trueGlobalMap({ scene, pose }, observed)
  .filter(({ name }) => name !== 'agent' && !name.endsWith('door'))
  .map((entry) => {
    const blur = Math.hypot(...entry.pos) * 0.12
    return { ...entry, pos: [entry.pos[0] + random.normal() * blur, entry.pos[1] + random.normal() * blur] as const }
  })

await mkdir(folder, { recursive: true })
const svg = drawEpisode({
  scene,
  poses,
  belief,
  title: 'A scout explores three rooms; its memory of positions is blurred',
})
await writeFile(new URL('episode.png', folder), await svgToPng(svg, { scale: 1.5 }))
