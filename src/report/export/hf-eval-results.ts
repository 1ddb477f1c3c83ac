/** Evaluation results of the Hugging Face Hub: a file for `.eval_results/` of a model repository. */
import { UserError } from '../../base/errors.ts'
import { plural } from '../../base/plural.ts'
import { formatCount } from '../format.ts'
import { sourceOf } from '../published.ts'
import { isPart } from '../report.ts'
import type { ExportedFile, ExportInput } from './types.ts'

export function hfEvalResultsFiles(input: ExportInput): ExportedFile[] {
  const { header, report, dataset, taskId } = input
  const headline = report.rows.find(({ key }) => key === report.headline)
  // Generated samples are never a published dataset, whatever they are called.
  if (dataset === undefined || sourceOf(header).name === 'builtin') {
    throw new UserError(`The samples of this run (${header.source}) are not a dataset on the Hugging Face Hub.`, {
      hint: 'The Hub lists results by dataset. Play it with --source, and name it with --dataset OWNER/NAME.',
    })
  }
  if (taskId === undefined) {
    throw new UserError('No task given.', {
      hint: `Use --task-id with a task of eval.yaml in https://huggingface.co/datasets/${dataset}.`,
    })
  }
  if (headline === undefined || headline.value === null) throw new UserError('The run has no headline score to export.')
  const value = headline.unit === 'percent' ? headline.value * 100 : headline.value
  const name = `${header.suite.replaceAll(/[^\w.-]+/g, '-')}.yaml`
  return [{ name: `.eval_results/${name}`, chunks: entry(input, { dataset, taskId, value: Number(value.toFixed(2)) }) }]
}

async function* entry(
  { header, report }: ExportInput,
  { dataset, taskId, value }: { dataset: string; taskId: string; value: number },
): AsyncGenerator<string> {
  const notes = [
    `Sightline ${header.versions['sightline'] ?? ''}`.trim(),
    `${header.suite} version ${header.suiteVersion}`,
    `profile ${header.profile}`,
    ...(isPart(report)
      ? [`${formatCount(report.counted)} of ${plural(report.planned, 'planned episode')}, not the whole set`]
      : []),
    ...(header.sample === undefined ? [] : [`drawn with --sample ${header.sample}`]),
    ...Object.entries(header.options).map(([name, option]) => `${name}=${JSON.stringify(option)}`),
  ].join(', ')
  // Quoted as JSON, which is YAML too.
  yield [
    '- dataset:',
    `    id: ${JSON.stringify(dataset)}`,
    `    task_id: ${JSON.stringify(taskId)}`,
    `  value: ${value}`,
    `  date: ${JSON.stringify(header.created.slice(0, 'YYYY-MM-DD'.length))}`,
    `  notes: ${JSON.stringify(notes)}`,
    '',
  ].join('\n')
}
