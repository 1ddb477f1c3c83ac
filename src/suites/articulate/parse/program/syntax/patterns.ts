/** What stands after `case`. */
import { type ExpressionParser, wordOf } from './expressions.ts'
import type { Expression, Pattern } from './tree.ts'

export class PatternParser {
  readonly #expressions: ExpressionParser

  constructor(expressions: ExpressionParser) {
    this.#expressions = expressions
  }

  get #reader(): ExpressionParser['reader'] {
    return this.#expressions.reader
  }

  /** With commas on the outside: a sequence. */
  patterns(): Pattern {
    const reader = this.#reader
    const { line } = reader
    const first = this.#starred()
    if (!reader.is(',')) {
      if (first.kind === 'star') throw reader.wrong('a star alone is not a pattern', line)
      return first
    }
    return { kind: 'sequence', items: this.#rest([first], ':'), line }
  }

  #rest(items: Pattern[], close: string): Pattern[] {
    const reader = this.#reader
    while (reader.take(',')) {
      if (reader.is(close, 'if')) break
      items.push(this.#starred())
    }
    return items
  }

  #starred(): Pattern {
    const reader = this.#reader
    const { line } = reader
    if (!reader.take('*')) return this.#pattern()
    const name = reader.name()
    return { kind: 'star', name: this.#captured(name), line }
  }

  #captured(name: string): string | null {
    if (name === '_') return null
    this.#reader.bind(name)
    return name
  }

  #pattern(): Pattern {
    const reader = this.#reader
    return reader.deeper(() => {
      const { line } = reader
      const patterns = [this.#closed()]
      while (reader.take('|')) patterns.push(this.#closed())
      const pattern: Pattern = patterns.length === 1 ? patterns[0]! : { kind: 'either', patterns, line }
      if (!reader.take('as')) return pattern
      const name = reader.name()
      reader.bind(name)
      return { kind: 'as', pattern, name, line }
    })
  }

  #closed(): Pattern {
    const reader = this.#reader
    const { token } = reader
    const { line } = token
    if (token.kind === 'name') {
      const next = wordOf(reader.peek())
      if (next !== '.' && next !== '(') {
        reader.next()
        return { kind: 'capture', name: this.#captured(token.text), line }
      }
      let type: Expression = { kind: 'name', name: reader.name(), line }
      while (reader.take('.')) type = { kind: 'attribute', value: type, name: reader.name(), nameLine: line, line }
      return reader.is('(') ? this.#class(type, line) : { kind: 'value', value: type, line }
    }
    if (reader.is('(', '[')) return this.#bracketed(line)
    if (reader.take('{')) return this.#mapping(line)
    return { kind: 'value', value: this.#expressions.binary(2), line }
  }

  #bracketed(line: number): Pattern {
    const reader = this.#reader
    const close = reader.take('(') ? ')' : ']'
    if (close === ']') reader.next()
    if (reader.take(close)) return { kind: 'sequence', items: [], line }
    const first = this.#starred()
    if (close === ')' && reader.take(')')) return first
    const items = this.#rest([first], close)
    reader.expect(close)
    return { kind: 'sequence', items, line }
  }

  #mapping(line: number): Pattern {
    const reader = this.#reader
    const entries: { key: Expression; pattern: Pattern }[] = []
    let rest: string | null = null
    while (!reader.take('}')) {
      if (reader.take('**')) rest = this.#captured(reader.name())
      else {
        const key = this.#expressions.binary(2)
        reader.expect(':')
        entries.push({ key, pattern: this.#pattern() })
      }
      if (!reader.take(',') && !reader.is('}')) throw reader.wrong()
    }
    return { kind: 'mapping', entries, rest, line }
  }

  #class(type: Expression, line: number): Pattern {
    const reader = this.#reader
    reader.expect('(')
    const items: Pattern[] = []
    const named: { name: string; pattern: Pattern }[] = []
    while (!reader.take(')')) {
      if (reader.token.kind === 'name' && wordOf(reader.peek()) === '=') {
        const name = reader.name()
        reader.next()
        named.push({ name, pattern: this.#pattern() })
      } else items.push(this.#pattern())
      if (!reader.take(',') && !reader.is(')')) throw reader.wrong()
    }
    return { kind: 'class', type, items, named, line }
  }
}
