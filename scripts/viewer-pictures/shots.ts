/** Screenshots for docs/viewer.md: runs, pages and steps. */
import type { Page } from 'playwright-core'

export interface ScreenshotRun {
  suite: string
  player: string
  args: readonly string[]
}

const SPACE = ['-l', '12', '-T', 'maps=every']
const ROOMS = ['-l', '6', '--source', 'builtin:seed=3,scenes=2']
const JOINTS = ['-l', '8']
const CLIPS = ['-l', '6', '--source', 'builtin:seed=4,language=en']

export const RUNS = {
  spaceOracle: { suite: 'space/text', player: 'baseline/oracle', args: SPACE },
  spaceRandom: { suite: 'space/text', player: 'baseline/random', args: SPACE },
  spaceScout: { suite: 'space/text', player: 'baseline/scout', args: SPACE },
  visionEye: { suite: 'space/vision', player: 'baseline/eye', args: ['-l', '2', '-T', 'maps=every'] },
  blindRandom: { suite: 'vsi/blind', player: 'baseline/random', args: ['-l', '60'] },
  exploreOracle: { suite: 'vsi/explore', player: 'baseline/oracle', args: ROOMS },
  exploreRandom: { suite: 'vsi/explore', player: 'baseline/random', args: ROOMS },
  exploreTour: { suite: 'vsi/explore', player: 'baseline/eye', args: ROOMS },
  videoOracle: { suite: 'vsi/video', player: 'baseline/oracle', args: ROOMS },
  videoRandom: { suite: 'vsi/video', player: 'baseline/random', args: ROOMS },
  jointOracle: { suite: 'articulate/joint', player: 'baseline/oracle', args: JOINTS },
  jointRandom: { suite: 'articulate/joint', player: 'baseline/random', args: JOINTS },
  vsigOracle: { suite: 'vsig', player: 'baseline/oracle', args: CLIPS },
  vsigRandom: { suite: 'vsig', player: 'baseline/random', args: CLIPS },
  vsigFinger: { suite: 'vsig', player: 'baseline/finger-ray', args: CLIPS },
  vbench: { suite: 'vbench', player: 'baseline/films', args: ['-l', '4', '-T', 'dimension=subject_consistency'] },
} as const satisfies Readonly<Record<string, ScreenshotRun>>

export type RunIds = (name: keyof typeof RUNS) => string

export interface Shot {
  /** Prefix of the file names. */
  name: string
  address: (ids: RunIds) => string
  prepare?: (page: Page) => Promise<void>
}

export const SHOTS: readonly Shot[] = [
  { name: 'leaderboard', address: () => '/' },
  { name: 'run', address: (ids) => `/runs/${ids('spaceScout')}` },
  { name: 'episodes', address: (ids) => `/runs/${ids('blindRandom')}?view=episodes` },
  { name: 'compare', address: (ids) => `/compare/${ids('spaceRandom')}/${ids('spaceScout')}` },
  { name: 'pair', address: (ids) => `/compare/${ids('exploreRandom')}/${ids('exploreTour')}/0/0/1` },
  { name: 'episode-explore', address: (ids) => `/runs/${ids('exploreTour')}/1/1` },
  { name: 'episode-video', address: (ids) => `/runs/${ids('videoOracle')}/0/1` },
  { name: 'episode-space', address: (ids) => `/runs/${ids('spaceRandom')}/0/1`, prepare: toStep(/map: global/) },
  { name: 'episode-vision', address: (ids) => `/runs/${ids('visionEye')}/0/1`, prepare: toStep(/map: global/) },
  { name: 'episode-articulate', address: (ids) => `/runs/${ids('jointRandom')}/1/1`, prepare: openJoints },
  { name: 'episode-vsig', address: (ids) => `/runs/${ids('vsigFinger')}/2/1` },
  { name: 'episode-vbench', address: (ids) => `/runs/${ids('vbench')}/0/1` },
  { name: 'play', address: () => '/play' },
]

/** Steps back to the last step with a matching title. */
function toStep(title: RegExp): (page: Page) => Promise<void> {
  return async (page) => {
    const slider = page.getByRole('slider', { name: 'Step' })
    await slider.waitFor()
    const steps = Number(await slider.getAttribute('aria-valuemax'))
    for (let i = 0; i < steps; i++) {
      if (title.test((await slider.getAttribute('aria-valuetext')) ?? '')) return
      await page.keyboard.press('ArrowLeft')
    }
  }
}

/** Opens all joints, to make ground truth and prediction distinguishable. */
async function openJoints(page: Page): Promise<void> {
  const sliders = page.locator('input[type=range]')
  await sliders.first().waitFor()
  for (const slider of await sliders.all()) await slider.press('End')
}
