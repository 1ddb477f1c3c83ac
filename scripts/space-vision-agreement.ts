/**
 * `npx tsx scripts/space-vision-agreement.ts [scenes]`: compares the image and the text of every view of so many scenes
 * (default: 200): as generated, after changes, and without spacing rules. Prints occluded and misplaced entities.
 */
import { Random } from '../src/base/random.ts'
import { reviseScene } from '../src/suites/space/samples/revise.ts'
import { generateScene } from '../src/suites/space/samples/generate.ts'
import { SPACING } from '../src/suites/space/domain/grid/spacing.ts'
import { compareViews, emptyAgreement } from '../test/support/suites/space/agreement.ts'

const scenes = Number(process.argv[2] ?? 200)

for (const { title, spacing, changed, share } of [
  { title: 'spacing of the dataset', spacing: 'dataset', changed: false, share: 1 },
  { title: 'the same after four changes', spacing: 'dataset', changed: true, share: 1 },
  { title: 'without spacing', spacing: 'free', changed: false, share: 0.25 },
] as const) {
  const sum = emptyAgreement()
  const count = Math.ceil(scenes * share)
  for (let seed = 0; seed < count; seed++) {
    const scene = generateScene({ seed: `agreement/${seed}`, spacing })
    const revised = reviseScene(scene, new Random(`agreement/${seed}`), { rules: SPACING[spacing] })
    compareViews(changed ? revised.scene : scene, 'fixed', sum)
  }
  const { views, inText, hidden, wrong, problems } = sum
  console.log(`${title}: ${count} scenes, ${views} views, ${inText} entities; ${hidden} occluded, ${wrong} misplaced`)
  for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`)
}
