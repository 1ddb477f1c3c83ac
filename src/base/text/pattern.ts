/**
 * Regular expressions of others. JavaScript's can take exponential time; these take time proportional to text × pattern,
 * because all ways to match are followed side by side. There are no lookarounds and no backreferences.
 */

const MAX_PATTERN = 1000
/** Instructions; a repetition such as `{3,9}` is written out. */
const MAX_PROGRAM = 2000
const MAX_REPEAT = 100
const MAX_TEXT = 50_000
/** Characters compared in one search; a few seconds. */
const MAX_STEPS = 50_000_000

type Test = (code: number) => boolean
type Node =
  | { type: 'char'; test: Test }
  | { type: 'assert'; holds: (text: string, at: number) => boolean }
  | { type: 'group'; node: Node; captures: boolean }
  | { type: 'all'; nodes: Node[] }
  | { type: 'any'; nodes: Node[] }
  | { type: 'repeat'; node: Node; min: number; max: number; lazy: boolean }

type Instruction =
  | { op: 'char'; test: Test }
  | { op: 'assert'; holds: (text: string, at: number) => boolean }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'save'; slot: number }
  | { op: 'match' }

export interface PatternMatch {
  /** The first group, or the whole match if the pattern has none. */
  text: string
  start: number
  end: number
}

const isDigit: Test = (code) => code >= 0x30 && code <= 0x39
const isWord: Test = (code) => /[\p{L}\p{N}_]/u.test(String.fromCharCode(code))
const isSpace: Test = (code) => /\s/.test(String.fromCharCode(code))
const not =
  (test: Test): Test =>
  (code) =>
    !test(code)
const CLASSES: Readonly<Record<string, Test>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
}
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

const atBoundary = (text: string, at: number): boolean =>
  (at > 0 && isWord(text.charCodeAt(at - 1))) !== (at < text.length && isWord(text.charCodeAt(at)))

/**
 * @example
 * new Pattern(String.raw`answer is \(?([A-D])`, { ignoreCase: true }).first('The answer is (B).')?.text // 'B'
 */
export class Pattern {
  readonly #program: Instruction[]
  readonly #groups: number

  /** Throws a `SyntaxError` that says what is wrong and where. */
  constructor(source: string, { ignoreCase = false }: { ignoreCase?: boolean } = {}) {
    const parser = new Parser(source, ignoreCase)
    const node = parser.parse()
    this.#groups = parser.groups
    this.#program = []
    this.#compile(node)
    this.#add({ op: 'match' })
  }

  /** The first match in a text; of a very long text, only its beginning is searched. */
  first(text: string): PatternMatch | null {
    return this.#search(text.slice(0, MAX_TEXT), 0, { left: MAX_STEPS })
  }

  /** The last match, as a search from the beginning finds them one after the other; null if that takes too long. */
  last(text: string): PatternMatch | null {
    const searched = text.slice(-MAX_TEXT)
    const steps = { left: MAX_STEPS }
    let found: PatternMatch | null = null
    for (let from = 0; ;) {
      const next = this.#search(searched, from, steps)
      if (next === null) return steps.left > 0 ? found : null
      found = next
      from = next.end > next.start ? next.end : next.end + 1
    }
  }

  #add(instruction: Instruction): number {
    if (this.#program.length >= MAX_PROGRAM) throw new SyntaxError('the pattern is too long, with all repetitions')
    return this.#program.push(instruction) - 1
  }

  #compile(node: Node): void {
    if (node.type === 'char') this.#add({ op: 'char', test: node.test })
    else if (node.type === 'assert') this.#add({ op: 'assert', holds: node.holds })
    else if (node.type === 'all') for (const each of node.nodes) this.#compile(each)
    else if (node.type === 'any') this.#compileAny(node.nodes)
    else if (node.type === 'group') {
      if (node.captures) this.#add({ op: 'save', slot: 2 })
      this.#compile(node.node)
      if (node.captures) this.#add({ op: 'save', slot: 3 })
    } else this.#compileRepeat(node)
  }

  #compileAny(nodes: readonly Node[]): void {
    const [first, ...rest] = nodes
    if (rest.length === 0) return this.#compile(first!)
    const split = { op: 'split' as const, first: 0, second: 0 }
    split.first = this.#add(split) + 1
    this.#compile(first!)
    const jump = { op: 'jump' as const, to: 0 }
    this.#add(jump)
    split.second = this.#program.length
    this.#compileAny(rest)
    jump.to = this.#program.length
  }

  #compileRepeat({ node, min, max, lazy }: Extract<Node, { type: 'repeat' }>): void {
    for (let i = 0; i < min; i++) this.#compile(node)
    const splits: { first: number; second: number }[] = []
    const branch = (): number => {
      const split = { op: 'split' as const, first: 0, second: 0 }
      const at = this.#add(split)
      splits.push(split)
      if (lazy) split.second = at + 1
      else split.first = at + 1
      return at
    }
    if (max === Infinity) {
      const at = branch()
      this.#compile(node)
      this.#add({ op: 'jump', to: at })
    } else {
      for (let i = min; i < max; i++) {
        branch()
        this.#compile(node)
      }
    }
    for (const split of splits) {
      if (lazy) split.first = this.#program.length
      else split.second = this.#program.length
    }
  }

  #search(text: string, from: number, steps: { left: number }): PatternMatch | null {
    type Thread = { pc: number; saved: readonly number[] }
    let threads: Thread[] = []
    let found: readonly number[] | null = null
    const seen = new Int32Array(this.#program.length).fill(-1)
    const follow = (into: Thread[], start: Thread, at: number): void => {
      const pending = [start]
      for (let each = pending.pop(); each !== undefined; each = pending.pop()) {
        const { pc, saved } = each
        if (seen[pc] === at) continue
        seen[pc] = at
        const instruction = this.#program[pc]!
        if (instruction.op === 'jump') pending.push({ pc: instruction.to, saved })
        else if (instruction.op === 'split')
          pending.push({ pc: instruction.second, saved }, { pc: instruction.first, saved })
        else if (instruction.op === 'save') pending.push({ pc: pc + 1, saved: saved.with(instruction.slot, at) })
        else if (instruction.op === 'assert') {
          if (instruction.holds(text, at)) pending.push({ pc: pc + 1, saved })
        } else into.push(each)
      }
    }
    for (let at = from; at <= text.length; at++) {
      // Only the leftmost match counts: once there is one, no new attempt starts.
      if (found === null) follow(threads, { pc: 0, saved: [at, -1, -1, -1] }, at)
      if (threads.length === 0) {
        if (found !== null) break
        continue
      }
      steps.left -= threads.length
      if (steps.left <= 0) return null
      const code = text.charCodeAt(at)
      const next: Thread[] = []
      for (const { pc, saved } of threads) {
        const instruction = this.#program[pc]!
        if (instruction.op === 'match') {
          found = saved.with(1, at)
          break
        }
        if (instruction.op === 'char' && at < text.length && instruction.test(code))
          follow(next, { pc: pc + 1, saved }, at + 1)
      }
      threads = next
    }
    if (found === null) return null
    const [start, end, groupStart, groupEnd] = found as [number, number, number, number]
    const captured = this.#groups > 0 ? text.slice(Math.max(0, groupStart), Math.max(0, groupEnd)) : null
    return { text: captured ?? text.slice(start, end), start, end }
  }
}

class Parser {
  readonly #source: string
  readonly #ignoreCase: boolean
  #at = 0
  groups = 0

  constructor(source: string, ignoreCase: boolean) {
    if (source.length > MAX_PATTERN) throw new SyntaxError(`the pattern has more than ${MAX_PATTERN} characters`)
    this.#source = source
    this.#ignoreCase = ignoreCase
  }

  parse(): Node {
    const node = this.#alternatives(0)
    if (this.#at < this.#source.length) throw this.#error('unexpected )')
    return node
  }

  #error(problem: string): SyntaxError {
    return new SyntaxError(`${problem} at character ${this.#at + 1} of the pattern`)
  }

  #alternatives(depth: number): Node {
    if (depth > 50) throw this.#error('too many groups inside each other')
    const nodes: Node[] = [this.#sequence(depth)]
    while (this.#source[this.#at] === '|') {
      this.#at++
      nodes.push(this.#sequence(depth))
    }
    return { type: 'any', nodes }
  }

  #sequence(depth: number): Node {
    const nodes: Node[] = []
    for (let sign = this.#source[this.#at]; sign !== undefined && sign !== '|' && sign !== ')';) {
      nodes.push(this.#quantified(this.#atom(depth)))
      sign = this.#source[this.#at]
    }
    return { type: 'all', nodes }
  }

  #quantified(node: Node): Node {
    const rest = this.#source.slice(this.#at, this.#at + 16)
    const found = /^(?:[*+?]|\{(\d{1,3})(,?)(\d{0,3})\})(\??)/.exec(rest)
    if (found === null) return node
    const [whole, from, comma, to, lazy] = found
    const sign = whole[0]
    const min = sign === '+' ? 1 : from === undefined ? 0 : Number(from)
    const max =
      sign === '?' ? 1 : from === undefined ? Infinity : comma === '' ? min : to === '' ? Infinity : Number(to)
    if (max < min || min > MAX_REPEAT || (max !== Infinity && max > MAX_REPEAT))
      throw this.#error(`repetitions must be 0 to ${MAX_REPEAT}`)
    if (node.type === 'assert') throw this.#error('nothing to repeat')
    this.#at += whole.length
    return { type: 'repeat', node, min, max, lazy: lazy === '?' }
  }

  #atom(depth: number): Node {
    const sign = this.#source[this.#at]!
    if (sign === '(') return this.#group(depth)
    if (sign === '[') return { type: 'char', test: this.#class() }
    if ('*+?'.includes(sign)) throw this.#error('nothing to repeat')
    this.#at++
    if (sign === '^') return { type: 'assert', holds: (_, at) => at === 0 }
    if (sign === '$') return { type: 'assert', holds: (text, at) => at === text.length }
    if (sign === '.') return { type: 'char', test: (code) => code !== 0x0a }
    if (sign !== '\\') return { type: 'char', test: this.#literal(sign) }
    const escaped = this.#source[this.#at]
    if (escaped === 'b' || escaped === 'B') {
      this.#at++
      const wanted = escaped === 'b'
      return { type: 'assert', holds: (text, at) => atBoundary(text, at) === wanted }
    }
    const test = this.#escape()
    return { type: 'char', test: typeof test === 'string' ? this.#literal(test) : test }
  }

  #group(depth: number): Node {
    this.#at++
    let captures = true
    if (this.#source[this.#at] === '?') {
      if (this.#source[this.#at + 1] !== ':') throw this.#error('only (?:…) and (…) are supported, not other (?')
      captures = false
      this.#at += 2
    }
    // Only the first group is captured; later ones only group.
    if (captures) captures = ++this.groups === 1
    const node = this.#alternatives(depth + 1)
    if (this.#source[this.#at] !== ')') throw this.#error('missing )')
    this.#at++
    return { type: 'group', node, captures }
  }

  /** After a backslash: a class, or the character that is meant. */
  #escape(): Test | string {
    const sign = this.#source[this.#at]
    if (sign === undefined) throw this.#error('nothing after \\')
    this.#at++
    const known = Object.hasOwn(CLASSES, sign) ? CLASSES[sign] : undefined
    if (known !== undefined) return known
    const control = Object.hasOwn(CONTROLS, sign) ? CONTROLS[sign] : undefined
    if (control !== undefined) return control
    if (/[\p{L}\p{N}]/u.test(sign)) throw this.#error(`unknown \\${sign}`)
    return sign
  }

  #class(): Test {
    this.#at++
    const negated = this.#source[this.#at] === '^'
    if (negated) this.#at++
    const tests: Test[] = []
    for (let first = true; this.#source[this.#at] !== ']' || first; first = false) {
      const from = this.#classMember()
      if (typeof from !== 'string') {
        tests.push(from)
        continue
      }
      if (this.#source[this.#at] !== '-' || [']', undefined].includes(this.#source[this.#at + 1])) {
        tests.push(this.#literal(from))
        continue
      }
      this.#at++
      const to = this.#classMember()
      if (typeof to !== 'string' || to < from) throw this.#error('the range is not in order')
      tests.push(this.#range(from.charCodeAt(0), to.charCodeAt(0)))
    }
    this.#at++
    const any: Test = (code) => tests.some((test) => test(code))
    return negated ? not(any) : any
  }

  #classMember(): Test | string {
    const sign = this.#source[this.#at]
    if (sign === undefined) throw this.#error('missing ]')
    this.#at++
    return sign === '\\' ? this.#escape() : sign
  }

  #literal(sign: string): Test {
    const code = sign.charCodeAt(0)
    return this.#range(code, code)
  }

  #range(from: number, to: number): Test {
    const within: Test = (code) => code >= from && code <= to
    if (!this.#ignoreCase) return within
    const has = (text: string): boolean => text.length === 1 && within(text.charCodeAt(0))
    return (code) => {
      const sign = String.fromCharCode(code)
      return within(code) || has(sign.toLowerCase()) || has(sign.toUpperCase())
    }
  }
}
