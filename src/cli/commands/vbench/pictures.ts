/** One contact sheet per prompt: two rows per video, its frames over time and its motion. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { groupBy } from '../../../base/group.ts'
import { type Bitmap, encodePng } from '../../../media/index.ts'
import { withDiskErrors } from '../../../store/disk.ts'
import { type Clip, openClip, openWithFfmpeg } from '../../../suites/vbench/domain/clip.ts'
import { safeName } from '../../../suites/vbench/domain/names.ts'
import type { MatchedVideo } from '../../../suites/vbench/samples/match.ts'
import { sheetOf, StripMeter, type Strips } from '../../../suites/vbench/measure/strips.ts'

export async function drawPictures(folder: string, videos: readonly MatchedVideo[], out: string): Promise<string[]> {
  await withDiskErrors(out, () => mkdir(out, { recursive: true }))
  const files: string[] = []
  for (const [prompt, own] of groupBy(videos, ({ video }) => video.prompt.prompt)) {
    const rows: Bitmap[][] = []
    for (const { path } of own) {
      // Scoring has already reported an unreadable video.
      const strips = await stripsOf(join(folder, path)).catch(() => null)
      if (strips) rows.push(strips.frames, strips.flows)
    }
    if (rows.length === 0) continue
    const file = join(out, safeName(prompt, 0, '.png').replace(/-0\.png$/, '.png'))
    const png = await encodePng(sheetOf(rows))
    await withDiskErrors(file, () => writeFile(file, png))
    files.push(file)
  }
  return files
}

async function stripsOf(path: string): Promise<Strips> {
  try {
    return await stripsIn(await openClip(path))
  } catch (error) {
    return stripsIn(await openWithFfmpeg(path, error))
  }
}

async function stripsIn(clip: Clip): Promise<Strips> {
  try {
    const meter = new StripMeter(clip.info)
    let index = 0
    for await (const { decord } of clip.frames()) await meter.frame(decord, index++)
    return meter.end()
  } finally {
    await clip.close()
  }
}
