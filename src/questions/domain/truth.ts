/** Reads what a cell of the data says: options, ground truth, numbers. Throws an `Error` that says what is wrong. */
import { isObject, lettersOf, optionText, parseForeignJson, pythonFloat } from '../../suite.ts'
import type { Rules } from './format.ts'
import { strictMoves } from './moves.ts'
import type { Answer } from './sample.ts'

/** A cell as text: of a list or an object, its JSON. */
export function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Uint8Array) return new TextDecoder().decode(cell)
  return typeof cell === 'string' ? cell : JSON.stringify(cell)
}

/** The text of an answer; of several accepted ones, the first. */
export function answerText(answer: Answer): string {
  return cellText([answer].flat()[0])
}

/** A list in a cell, or written as JSON or as Python prints it. */
export function listOf(cell: unknown): unknown[] | null {
  if (Array.isArray(cell)) return cell
  if (isObject(cell)) return Object.values(cell)
  const text = cellText(cell).trim()
  if (!/^[[({]/.test(text)) return null
  for (const candidate of [text, pythonToJson(text)]) {
    try {
      const parsed = parseForeignJson(candidate)
      if (Array.isArray(parsed)) return parsed
      if (isObject(parsed)) return Object.values(parsed)
    } catch {
      // Written in another way.
    }
  }
  return null
}

/** `['a', "it's", (1, 2)]` as JSON. One pass; what is not a list of texts and numbers stays unreadable. */
function pythonToJson(text: string): string {
  let json = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!
    if (sign === '(') json += '['
    else if (sign === ')') json += ']'
    else if (sign === '"' || sign === "'") {
      let content = ''
      for (at++; at < text.length && text[at] !== sign; at++) {
        if (text[at] === '\\') at++
        content += text[at] ?? ''
      }
      json += JSON.stringify(content)
    } else json += sign
  }
  return json.replaceAll(/,\s*\]/g, ']')
}

/** The options of a text such as `Where is it? A. left B. right`: from its last A on, letter by letter. */
function letteredOptions(text: string): string[] | null {
  const signs = [...text.matchAll(/(?<=^|\s)\(?([A-Z])[.):](?=\s)/g)]
  const marks = signs.slice(signs.findLastIndex(([, letter]) => letter === 'A'))
  const starts: number[] = []
  for (const { 1: letter, index } of marks) if (letter === String.fromCharCode(65 + starts.length)) starts.push(index)
  return starts.length < 2
    ? null
    : starts.map((start, i) =>
        text
          .slice(start, starts[i + 1])
          .replace(/^\(/, '')
          .trim(),
      )
}

export function readOptions(cells: readonly unknown[]): string[] {
  const [only] = cells
  const list =
    cells.length === 1
      ? (listOf(only) ?? letteredOptions(cellText(only)))
      : cells.filter((cell) => cellText(cell).trim() !== '')
  if (list === null) throw new Error(`options are not a list: "${cellText(only).slice(0, 60)}"`)
  if (list.length < 2 || list.length > 26) throw new Error(`${list.length} options`)
  return list.map((option) => optionText(cellText(option)).trim())
}

export function readTruth(cell: unknown, options: readonly string[] | null, answer: Rules['answer']): Answer {
  const text = cellText(cell).trim()
  if (text === '') throw new Error('no ground truth')
  switch (answer?.kind ?? 'choice') {
    case 'choice':
      return choiceOf(text, options ?? [], answer?.written)
    case 'number': {
      const value = pythonFloat(text)
      if (value === null || !Number.isFinite(value))
        throw new Error(`the ground truth is not a number: "${text.slice(0, 60)}"`)
      return value
    }
    case 'yes-no': {
      const word = text.toLowerCase().replace(/[.!]$/, '')
      if (['yes', 'true', '1', 'y'].includes(word)) return true
      if (['no', 'false', '0', 'n'].includes(word)) return false
      throw new Error(`the ground truth is neither yes nor no: "${text.slice(0, 60)}"`)
    }
    case 'text':
      return (listOf(cell) ?? [text]).map(cellText)
    case 'point':
    case 'box': {
      const numbers = (listOf(cell) ?? []).flat(2).map(Number)
      const enough = answer?.kind === 'box' ? numbers.length === 4 : numbers.length >= 2 && numbers.length % 2 === 0
      if (!enough || numbers.some((each) => !Number.isFinite(each)))
        throw new Error(
          `the ground truth is not a ${answer?.kind === 'box' ? 'box' : 'region'}: "${text.slice(0, 60)}"`,
        )
      return numbers
    }
    case 'moves': {
      const moves = strictMoves(text.replaceAll(/\s/g, ''), answer?.axes ?? [])
      if (moves === null) throw new Error(`the ground truth is not a list of moves: "${text.slice(0, 60)}"`)
      return moves
    }
  }
}

type Written = NonNullable<Rules['answer']>['written']

function choiceOf(text: string, options: readonly string[], written: Written): string {
  const letters = lettersOf(options)
  if (written === 'index' || written === 'number') {
    const at = Number(text) - (written === 'number' ? 1 : 0)
    const letter = letters[at]
    if (letter === undefined) throw new Error(`the ground truth is ${text} of ${options.length} options`)
    return letter
  }
  const letter = /^\(?([A-Z])(?:$|[).:](?:\s|$))/.exec(text)?.[1]
  const named = options.findIndex((option) => option === optionText(text).trim())
  if (written !== 'text' && letter !== undefined && letters.includes(letter)) return letter
  if (written !== 'letter' && named >= 0) return letters[named]!
  throw new Error(`the ground truth is none of the ${options.length} options: "${text.slice(0, 60)}"`)
}
