/** The data card: README.md with the front matter that the Hugging Face Hub reads. */
import { TRAINING_SEEDS } from '../engine/split.ts'
import { plural } from '../base/plural.ts'
import type { DatasetState } from './dataset-folder.ts'

/** @param isOurs whether the suite is built in */
export function dataCard(
  { settings, files, pictures, counts, next }: DatasetState,
  { pattern, version, isOurs }: { pattern: string; version: string; isOurs: boolean },
) {
  const examples = files.reduce((sum, file) => sum + file.examples, 0)
  const { suite, suiteVersion, source, profile, player, rejected } = settings
  const rows = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))
  return `---
${isOurs ? 'license: apache-2.0\n' : ''}pretty_name: ${String(suite)}, training data
tags: [spatial-reasoning, synthetic, sightline]
configs:
  - config_name: default
    data_files: "${pattern}"
---

# ${String(suite)}: ${examples.toLocaleString('en')} examples

Made by Sightline ${version} from generated scenes with exact ground truth: ${pictures.toLocaleString('en')} pictures and videos
in ${plural(files.length, 'file')}.

| | |
|---|---|
| suite | \`${String(suite)}\`, version ${String(suiteVersion)}, profile \`${String(profile)}\` |
| source | \`${String(source)}\` |
| seeds | from the one in the source to ${next.seed}; all from ${TRAINING_SEEDS} on, which no test has |
| replies | \`${String(player)}\`${typeof rejected === 'string' ? `; rejected ones \`${rejected}\`` : ''} |
| options | \`${JSON.stringify(settings['options'])}\` |
| license | ${isOurs ? 'Apache-2.0, as the generator' : 'that of the suite and its scenes'} |

Every reply was read and scored by the suite, as a model's would be. No example is there twice.

| type, level | examples |
|---|---|
${rows.map(([kind, count]) => `| ${kind} | ${count.toLocaleString('en')} |`).join('\n')}

Do not test on these seeds: \`sightline run\` uses others unless told otherwise, and says so if it does not.
`
}
