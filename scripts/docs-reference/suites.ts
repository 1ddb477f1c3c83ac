/** docs/reference/suites.md: what `sightline list SUITE --json` shows, for every built-in suite. */
import { describeSuite } from '../../src/cli/commands/list.ts'
import type { AnySuite } from '../../src/engine/suite.ts'
import { slug } from '../../site/.vitepress/slug.ts'
import { cell, code, GENERATED, page, sentence, table, withFacts, withLiterals } from './markdown.ts'

export function suitesPage(suites: readonly AnySuite[]): string {
  const described = suites.map(describeSuite)
  return page(
    GENERATED,
    '# Suite options',
    'Options (`-T key=value`), data sources (`--source`), profiles (`--profile`) and baselines (`--model`) of the built-in suites, as `sightline list SUITE` prints them.',
    table(
      ['Suite', 'Description'],
      described.map(({ name, title }) => [`[${code(name)}](#${slug(name)})`, cell(sentence(title))]),
    ),
    ...described.flatMap(suiteSection),
  )
}

function suiteSection(suite: ReturnType<typeof describeSuite>): string[] {
  const { name, title, version, optionalRoles, profiles, options, sources, baselines } = suite
  const facts = [
    `- Version: ${version}`,
    `- Profiles: ${profiles.map((profile, i) => `${code(profile)}${i === 0 ? ' (default)' : ''}`).join(', ')}`,
    optionalRoles.length > 0 ? `- Optional roles (\`--model-role\`): ${optionalRoles.map(code).join(', ')}` : '',
  ]
  return [
    `## ${name}`,
    cell(sentence(title)),
    facts.filter(Boolean).join('\n'),
    table(
      ['Option', 'Values', 'Description'],
      options.map((option) => [
        code(option.name),
        code(option.values),
        withFacts(
          withLiterals(option.description, option.values.split(' | ')),
          option.default !== '' && `Default: ${code(option.default)}.`,
        ),
      ]),
    ),
    table(
      ['Source', 'Description'],
      sources.map((source) => [code(source.usage), cell(sentence(withLiterals(source.title)))]),
    ),
    table(
      ['Baseline', 'Description'],
      baselines.map((baseline) => [code(baseline.name), cell(sentence(baseline.title))]),
    ),
  ]
}
