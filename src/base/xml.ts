/**
 * A strict reader for the XML that robots and meshes are written in. Elements, attributes and text only: no document
 * types, no entities beyond the five of the standard, no processing instructions, and limits on size and depth, because
 * such files come from datasets and from models.
 */
import { UserError } from './errors.ts'

export interface XmlElement {
  name: string
  attributes: ReadonlyMap<string, string>
  children: readonly XmlElement[]
  /** What stands between the tags, child elements left out. */
  text: string
  line: number
}

export interface XmlLimits {
  characters: number
  depth: number
  elements: number
}

const LIMITS: XmlLimits = { characters: 8_000_000, depth: 24, elements: 200_000 }
const MAX_ATTRIBUTES = 32

const NAME = /[A-Za-z_][\w.:-]*/y
const SPACE = /[ \t\r\n]*/y
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

export function readXml(text: string, what = 'The XML', limits = LIMITS): XmlElement {
  if (text.length > limits.characters)
    throw new UserError(`${what} has ${text.length} characters; at most ${limits.characters} are read.`)
  return new Reader(text, what, limits).document()
}

interface Open {
  name: string
  attributes: Map<string, string>
  children: XmlElement[]
  text: string
  line: number
}

class Reader {
  readonly #text: string
  readonly #what: string
  readonly #limits: XmlLimits
  #at = 0
  #line = 1
  /** Where the line that was counted last ends: before it nothing has to be looked for. */
  #lineEnd: number
  #elements = 0

  constructor(text: string, what: string, limits: XmlLimits) {
    this.#text = text.startsWith('\uFEFF') ? text.slice(1) : text
    this.#what = what
    this.#limits = limits
    this.#lineEnd = this.#lineEndFrom(0)
  }

  document(): XmlElement {
    const open: Open[] = []
    let root: XmlElement | null = null
    const text = this.#text
    while (this.#at < text.length) {
      const next = text.indexOf('<', this.#at)
      const between = text.slice(this.#at, next < 0 ? text.length : next)
      const inside = open.at(-1)
      if (!inside && between.trim() !== '') throw this.#error(`text outside of the root element`)
      if (inside && between !== '') inside.text += between.includes('&') ? this.#decoded(between) : between
      if (next < 0) break
      this.#at = next
      if (text.startsWith('<!--', next)) this.#skipTo('-->', 'a comment')
      else if (text.startsWith('<?xml', next) && root === null && open.length === 0)
        this.#skipTo('?>', 'the declaration')
      else if (text.startsWith('<![CDATA[', next) && inside) {
        this.#skipTo(']]>', 'a CDATA section')
        inside.text += text.slice(next + '<![CDATA['.length, this.#at - ']]>'.length)
      } else if (text.startsWith('<!', next) || text.startsWith('<?', next))
        throw this.#error('a document type, entity or processing instruction, which is not allowed')
      else if (text.startsWith('</', next)) {
        const closed = this.#close(open)
        const parent = open.at(-1)
        if (parent) parent.children.push(closed)
        else if (root) throw this.#error('a second root element')
        else root = closed
      } else {
        const { element, empty } = this.#open()
        if (open.length === 0 && root) throw this.#error('a second root element')
        if (!empty) {
          open.push(element)
          if (open.length > this.#limits.depth) throw this.#error(`elements nested deeper than ${this.#limits.depth}`)
        } else if (open.length > 0) open.at(-1)!.children.push(element)
        else root = element
      }
    }
    if (open.length > 0)
      throw this.#error(`the end, but <${open.at(-1)!.name}> (line ${open.at(-1)!.line}) is not closed`)
    if (!root) throw this.#error('no element at all')
    return root
  }

  #open(): { element: Open; empty: boolean } {
    const line = this.#lineAt()
    if (++this.#elements > this.#limits.elements) throw this.#error(`more than ${this.#limits.elements} elements`)
    this.#at += 1
    const element: Open = { name: this.#name('an element name'), attributes: new Map(), children: [], text: '', line }
    for (;;) {
      const spaced = this.#space()
      if (this.#text.startsWith('/>', this.#at)) {
        this.#at += 2
        return { element, empty: true }
      }
      if (this.#text[this.#at] === '>') {
        this.#at += 1
        return { element, empty: false }
      }
      if (this.#at >= this.#text.length) throw this.#error(`the end inside of <${element.name}>`)
      if (!spaced) throw this.#error(`no space before an attribute of <${element.name}>`)
      const name = this.#name(`an attribute of <${element.name}>, ">" or "/>"`)
      this.#space()
      if (this.#text[this.#at] !== '=') throw this.#error(`attribute ${name} of <${element.name}> without a value`)
      this.#at += 1
      this.#space()
      const value = this.#value(name)
      if (element.attributes.has(name)) throw this.#error(`attribute ${name} of <${element.name}> twice`)
      element.attributes.set(name, value)
      if (element.attributes.size > MAX_ATTRIBUTES) throw this.#error(`more than ${MAX_ATTRIBUTES} attributes`)
    }
  }

  #close(open: Open[]): XmlElement {
    this.#at += 2
    const name = this.#name('an element name')
    this.#space()
    if (this.#text[this.#at] !== '>') throw this.#error(`</${name} without ">"`)
    this.#at += 1
    const element = open.pop()
    if (element?.name !== name)
      throw this.#error(
        element ? `</${name}> where </${element.name}> was expected` : `</${name}> without its beginning`,
      )
    return element
  }

  #value(name: string): string {
    const quote = this.#text[this.#at]
    if (quote !== '"' && quote !== "'") throw this.#error(`the value of ${name} without quotes`)
    const end = this.#text.indexOf(quote, this.#at + 1)
    if (end < 0) throw this.#error(`the value of ${name} without its closing quote`)
    const raw = this.#text.slice(this.#at + 1, end)
    if (raw.includes('<')) throw this.#error(`"<" in the value of ${name}`)
    this.#at = end + 1
    return raw.includes('&') ? this.#decoded(raw) : raw
  }

  #decoded(raw: string): string {
    return raw.replace(/&([^;&]{0,10});?/g, (whole, inside: string) => {
      const named = Object.hasOwn(ENTITIES, inside) ? ENTITIES[inside] : undefined
      if (named !== undefined && whole.endsWith(';')) return named
      const code = /^#(?:x([\da-fA-F]{1,6})|(\d{1,7}))$/.exec(inside)
      const point = code ? Number.parseInt(code[1] ?? code[2]!, code[1] ? 16 : 10) : Number.NaN
      if (!(point > 0 && point <= 0x10ffff) || !whole.endsWith(';'))
        throw this.#error(`the entity ${whole}, which is not one of &lt; &gt; &amp; &quot; &apos;`)
      return String.fromCodePoint(point)
    })
  }

  #name(expected: string): string {
    NAME.lastIndex = this.#at
    const match = NAME.exec(this.#text)
    if (!match) throw this.#error(`"${this.#text.slice(this.#at, this.#at + 12)}" where ${expected} was expected`)
    this.#at = NAME.lastIndex
    return match[0]
  }

  #space(): boolean {
    SPACE.lastIndex = this.#at
    SPACE.exec(this.#text)
    const before = this.#at
    this.#at = SPACE.lastIndex
    return this.#at > before
  }

  #skipTo(end: string, what: string): void {
    const found = this.#text.indexOf(end, this.#at + 2)
    if (found < 0) throw this.#error(`${what} that does not end`)
    this.#at = found + end.length
  }

  /** Lines are counted on demand and onwards only, so that reading stays linear, in one endless line too. */
  #lineAt(): number {
    while (this.#lineEnd < this.#at) {
      this.#line += 1
      this.#lineEnd = this.#lineEndFrom(this.#lineEnd + 1)
    }
    return this.#line
  }

  #lineEndFrom(at: number): number {
    const found = this.#text.indexOf('\n', at)
    return found < 0 ? this.#text.length : found
  }

  #error(found: string): UserError {
    return new UserError(`${this.#what} cannot be read, line ${this.#lineAt()}: found ${found}.`)
  }
}
