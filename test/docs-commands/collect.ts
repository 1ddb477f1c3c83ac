/** Reads the documentation: every shell command and every named file of every page, in reading order. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Generated from the code: their examples are checked where they are written. */
const GENERATED = /^docs\/(api|reference)\//
const SHELL = new Set(['sh', 'bash', 'shell', 'console', 'zsh'])
/** A block without a language may be a drawing or a table: its first line tells. */
const COMMAND_LINE = /^(?:\$ )?(?:\w+=\S+ )*(?:sightline|npx|npm|node|export|echo|cd|git|apt|docker|kubectl) /

export interface CodeBlock {
  language: string
  /** Line of the first line of code. */
  line: number
  text: string
  /** The file that the block is, where the page names it: `title="x.ts"`, a first comment `// x.ts`, or `[x.ts]`. */
  file: string | null
}

export interface DocCommand {
  line: number
  text: string
  exitCode: number
}

export type Step = { command: DocCommand } | { file: string; text: string; line: number }

export interface Page {
  /** Path from the root of the repository. */
  path: string
  blocks: readonly CodeBlock[]
  steps: readonly Step[]
}

/** README, CONTRIBUTING, docs and the pages of the suites. */
export async function readPages(): Promise<Page[]> {
  const docs = await markdownUnder('docs')
  const suites = (await readdir(join(ROOT, 'src/suites'))).map((name) => `src/suites/${name}/README.md`)
  const paths = ['README.md', 'CONTRIBUTING.md', ...docs.filter((path) => !GENERATED.test(path)), ...suites]
  const pages = await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(ROOT, path), 'utf8').catch(() => null)
      return text === null ? null : readPage(path, text)
    }),
  )
  return pages.filter((page) => page !== null)
}

async function markdownUnder(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort()
}

export function readPage(path: string, markdown: string): Page {
  const blocks = codeBlocks(markdown)
  const steps = blocks.flatMap((block): Step[] => {
    if (block.file !== null) return [{ file: block.file, text: block.text, line: block.line }]
    return isShell(block) ? commandsOf(block).map((command) => ({ command })) : []
  })
  return { path, blocks, steps }
}

function isShell({ language, text }: CodeBlock): boolean {
  return SHELL.has(language) || (language === '' && COMMAND_LINE.test(text))
}

const FENCE = /^(?<indent>\s*)(?<marks>`{3,}|~{3,})\s*(?<language>[\w-]*)(?<info>.*)$/

export function codeBlocks(markdown: string): CodeBlock[] {
  const lines = markdown.split('\n')
  const blocks: CodeBlock[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const fence = FENCE.exec(lines[at]!)?.groups
    if (!fence) continue
    const { indent = '', marks = '', language = '', info = '' } = fence
    const start = at + 1
    const body: string[] = []
    for (at += 1; at < lines.length && lines[at]!.trim() !== marks; at += 1) {
      body.push(lines[at]!.startsWith(indent) ? lines[at]!.slice(indent.length) : lines[at]!.trimStart())
    }
    const text = `${body.join('\n')}\n`
    blocks.push({ language, line: start + 1, text, file: fileNameOf(language, info, text) })
  }
  return blocks
}

function fileNameOf(language: string, info: string, text: string): string | null {
  if (language === '' || SHELL.has(language)) return null
  const name =
    /(?:title="?|\[)([\w./-]+\.\w+)/.exec(info) ??
    /^(?:\/\/|#)\s*([\w./-]+\.(?:[cm]?[jt]s|json|ya?ml|py))\s*\n/.exec(text)
  if (name) return name[1]!
  if (/\bdefineConfig\(/.test(text)) return 'sightline.config.ts'
  if (language !== 'json' || !/^\{\s*"(?:run|models|generators|suites)"/.test(text)) return null
  return /"input":\s*\d/.test(text) ? 'prices.json' : 'sightline.config.json'
}

/** Commands in blocks of plain text, which are not run. A synopsis (`<run>`, `[-o FILE]`, `a|b`) is not a command. */
export function hiddenCommands({ path, blocks }: Page): string[] {
  return blocks
    .filter(({ language }) => language === 'text' || language === 'txt')
    .flatMap(({ text, line }) => text.split('\n').map((each, at) => ({ each, at: line + at })))
    .filter(({ each }) => /^(?:\$ )?(?:npx )?sightline [a-z]/.test(each) && !/[<>[\]|…]/.test(each))
    .map(({ each, at }) => `${path}:${at}  ${each}`)
}

/** A comment such as `# exits with 100` states the exit code. */
const EXIT_CODE = /\bexit(?:s(?: with)?|(?: with)?(?: code| status))\s+(\d+)\b/

function commandsOf({ language, text, line }: CodeBlock): DocCommand[] {
  const commands: DocCommand[] = []
  const lines = text.split('\n')
  const isTranscript = lines.some((each) => each.startsWith('$ '))
  if (language === 'console' && !isTranscript) return []
  for (let at = 0; at < lines.length; at += 1) {
    const first = line + at
    let whole = lines[at]!
    if (isTranscript && !whole.startsWith('$ ')) continue
    while (whole.endsWith('\\') && at + 1 < lines.length)
      whole = `${whole.slice(0, -1).trimEnd()} ${lines[(at += 1)]!.trim()}`
    // A here-document is part of its command.
    const end = /<<-?\s*['"]?(\w+)/.exec(whole)?.[1]
    if (end !== undefined) {
      while (at + 1 < lines.length && lines[at]!.trim() !== end) whole = `${whole}\n${lines[(at += 1)]!}`
    }
    const { code, comment } = splitComment(whole.replace(/^\$ /, ''))
    const exitCode = Number(EXIT_CODE.exec(comment)?.[1] ?? 0)
    const parts = end === undefined ? splitSequence(code) : [code]
    // Only the last of `a && b` can fail as stated.
    parts.forEach((part, index) =>
      commands.push({ line: first, text: part, exitCode: index === parts.length - 1 ? exitCode : 0 }),
    )
  }
  return commands
}

/** Walks a command line and reports each character that is outside of quotes. */
function* unquoted(text: string): Generator<number> {
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!
    if (quote !== '') {
      if (char === quote) quote = ''
    } else if (char === "'" || char === '"') quote = char
    else if (char === '\\') at += 1
    else yield at
  }
}

function splitComment(text: string): { code: string; comment: string } {
  for (const at of unquoted(text)) {
    if (text[at] === '#' && (at === 0 || /\s/.test(text[at - 1]!)))
      return { code: text.slice(0, at).trim(), comment: text.slice(at + 1) }
  }
  return { code: text.trim(), comment: '' }
}

function splitSequence(text: string): string[] {
  const parts: string[] = []
  let from = 0
  for (const at of unquoted(text)) {
    if (at < from || !text.startsWith('&&', at)) continue
    parts.push(text.slice(from, at).trim())
    from = at + 2
  }
  return [...parts, text.slice(from).trim()].filter((part) => part !== '')
}
