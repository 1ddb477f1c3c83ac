import { expect, it } from 'vitest'
import { readPage } from './collect.ts'

const commandsOf = (markdown: string) =>
  readPage('page.md', markdown).steps.map((step) =>
    'command' in step ? [step.command.line, step.command.text, step.command.exitCode] : [step.line, step.file, 'file'],
  )

it('finds commands in shell blocks, with their line and stated exit code', () => {
  const page = [
    'Text with `sightline list`.',
    '',
    '1. A list:',
    '   ```sh',
    '   npm ci && npm run demo     # set up',
    "   sightline run space/text --model 'a # b' \\",
    '     --limit 5 --fail-under 60  # exits with 100 below 60',
    '   ```',
    '```text',
    'sightline report RUN',
    '```',
    '```console',
    '$ sightline list',
    'space/text  Theory of Space',
    '```',
  ].join('\n')
  expect(commandsOf(page)).toEqual([
    [5, 'npm ci', 0],
    [5, 'npm run demo', 0],
    [6, "sightline run space/text --model 'a # b' --limit 5 --fail-under 60", 100],
    [13, 'sightline list', 0],
  ])
})

it('finds the files that a page asks the reader to write', () => {
  const page = [
    '```ts [sightline.config.ts]',
    'export default {}',
    '```',
    '```js',
    '// walk.mjs',
    'console.log(1)',
    '```',
    '```sh',
    'cat > prices.json <<EOF',
    '{}',
    'EOF',
    'node walk.mjs',
    '```',
  ].join('\n')
  expect(commandsOf(page)).toEqual([
    [2, 'sightline.config.ts', 'file'],
    [5, 'walk.mjs', 'file'],
    [9, 'cat > prices.json <<EOF\n{}\nEOF', 0],
    [12, 'node walk.mjs', 0],
  ])
})
