/** Films that are worse than they were, in a known way. */
import { type Bitmap, videoBackend } from '../../src/media/index.ts'
import { Random } from '../../src/base/random.ts'
import { CLIP } from '../../src/suites/vbench/baselines/films/film.ts'

type Change = (frames: readonly Bitmap[]) => readonly Bitmap[]

const each =
  (change: (frame: Bitmap, index: number) => Bitmap): Change =>
  (frames) =>
    frames.map(change)

function valued(frame: Bitmap, value: (old: number, at: number) => number): Bitmap {
  return { ...frame, data: frame.data.map((old, at) => Math.min(255, Math.max(0, Math.round(value(old, at))))) }
}

/** Mean over squares of so many pixels. */
function blurred(frame: Bitmap, radius: number): Bitmap {
  const { width, height, data } = frame
  return valued(frame, (_, at) => {
    const [c, pixel] = [at % 3, Math.floor(at / 3)]
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    let sum = 0
    let count = 0
    for (let v = Math.max(0, y - radius); v <= Math.min(height - 1, y + radius); v++)
      for (let u = Math.max(0, x - radius); u <= Math.min(width - 1, x + radius); u++, count++)
        sum += data[(v * width + u) * 3 + c]!
    return sum / count
  })
}

const random = new Random('vbench-truth/noise')

/** What lowers the quality of pictures. */
export const PICTURE_DAMAGES: Readonly<Record<string, Change>> = {
  blur: each((frame) => blurred(frame, 2)),
  noise: each((frame) => valued(frame, (old) => old + 15 * random.normal())),
  dark: each((frame) => valued(frame, (old) => old * 0.25)),
  overexposed: each((frame) => valued(frame, (old) => old * 2.2)),
  'low contrast': each((frame) => valued(frame, (old) => 110 + old * 0.2)),
}

/** Every second frame is shown twice, the next one not at all. */
export const JERKY: Change = (frames) => frames.map((_, i) => frames[i - (i % 2)]!)

/** Brighter and darker by turns. */
export const flickering = (levels: number): Change =>
  each((frame, i) => valued(frame, (old) => 40 + old * 0.6 + (i % 2 === 0 ? levels / 2 : -levels / 2)))

/** The second half is another film. */
export const cutTo =
  (other: readonly Bitmap[]): Change =>
  (frames) => [...frames.slice(0, frames.length / 2), ...other.slice(frames.length / 2)]

export async function encoded(frames: readonly Bitmap[]): Promise<Uint8Array> {
  return (await (await videoBackend()).encode(frames, { ...CLIP, quantizer: 18 })).bytes
}
