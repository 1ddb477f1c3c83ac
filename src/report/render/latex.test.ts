import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { exampleHeader, exampleRows, exampleSuite } from '../../../test/support/report.ts'
import { buildReport, type Report } from '../report.ts'
import { renderReports } from './index.ts'

const HOSTILE = '[0pt]*\\input{/etc/passwd}\\immediate\\write18{id}\n%}{$&#_^^5cinput~模é"'
const LONG = 'openrouter/some-organization/a-very-long-model-name-with-72b-parameters-instruct-preview'

function runs(count: number, name: string): Report[] {
  return Array.from({ length: count }, (_, i) => {
    const rows = exampleRows({
      clusters: 12,
      samplesPerCluster: 2,
      epochs: 2,
      skill: 0.2 + i / 20,
      failures: 0.1,
      key: `${i}`,
    })
    const models = { player: `${name}-${i}` }
    return buildReport({
      header: exampleHeader({ id: `run-${i}`, models, epochs: 2, planned: rows.length }),
      rows,
      suite: exampleSuite,
      resamples: 20,
    })
  })
}

const hasTex = ((): boolean => {
  try {
    execFileSync('pdflatex', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Compiles tables in two columns of text and returns the log. */
async function compiled(body: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'latex-'))
  try {
    const page = `\\documentclass[11pt,twocolumn]{article}\n\\usepackage{booktabs}\n\\begin{document}\n${body}\n\\end{document}\n`
    await writeFile(join(folder, 'page.tex'), page)
    await promisify(execFile)('pdflatex', ['-interaction=nonstopmode', '-halt-on-error', 'page.tex'], { cwd: folder })
    return await readFile(join(folder, 'page.log'), 'latin1')
  } finally {
    await rm(folder, { recursive: true })
  }
}

it('labels the table, and takes caption and label', () => {
  const [run] = runs(1, 'a/b')
  expect(renderReports([run!], 'latex')).toContain('\\label{tab:example-rooms}')
  const own = renderReports([run!], 'latex', { caption: 'Rooms, 50% \\emph{new}', label: 'tab:a b}', isWide: true })
  expect(own).toContain('\\caption{Rooms, 50\\% \\emph{new}}\n\\label{tab:a-b-}')
  expect(own).toMatch(/^\\begin\{table\*\}$/m)
  expect(renderReports([run!], 'latex', { caption: 'open {' })).toContain('\\caption{open \\{}')
})

it('continues a long table in another, with its own label', () => {
  const latex = renderReports(runs(60, 'a/b'), 'latex')
  expect(latex.match(/\\begin\{table\}/g)!.length).toBeGreaterThan(1)
  expect(new Set(latex.match(/\\label\{[^}]+\}/g))).toHaveLength(latex.match(/\\label/g)!.length)
})

// Needs texlive-latex-base and texlive-latex-recommended (booktabs).
describe.skipIf(!hasTex)('compiled by pdfLaTeX', () => {
  it.each([1, 4, 12])('fits a column with %d runs', async (count) => {
    const names = [LONG, 'lab/m', HOSTILE]
    const tables = names.flatMap((name) => [
      renderReports(runs(count, name), 'latex'),
      renderReports(runs(count, name), 'latex', { all: true, intervals: 'all', isWide: true }),
    ])
    const log = await compiled(tables.join('\n\\clearpage\n'))
    expect(log).toContain('Output written on page.pdf')
    expect(log).not.toMatch(/Overfull|too large|undefined|passwd/)
  })
})
