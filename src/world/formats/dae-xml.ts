import type { XmlElement } from '../../base/xml.ts'

/** The children of a name; none of an element that is not there. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element ? element.children.filter((child) => child.name === name) : []
}

export function only(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name)
}

/** The id that an attribute refers to, `#id` in this file. Other files are not read. */
export function reference(element: XmlElement | undefined, attribute = 'url'): string {
  const url = element?.attributes.get(attribute) ?? ''
  return url.startsWith('#') ? url.slice(1) : url
}

const NUMBER = /[^\s,]+/g

/** Numbers with blanks between them; what is none is NaN. */
export function numbersIn(text: string): number[] {
  const values: number[] = []
  for (const [word] of text.matchAll(NUMBER)) values.push(Number(word))
  return values
}
