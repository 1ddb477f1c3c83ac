import type { XmlElement } from '../../base/xml.ts'

/** Elements by their id. */
export type DaeLibrary = ReadonlyMap<string, XmlElement>

/** All elements of a document that have an id; of two with the same, the first. */
export function daeLibrary(root: XmlElement): DaeLibrary {
  const library = new Map<string, XmlElement>()
  const waiting = [root]
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    const id = element.attributes.get('id')
    if (id !== undefined && !library.has(id)) library.set(id, element)
    for (let i = element.children.length - 1; i >= 0; i--) waiting.push(element.children[i]!)
  }
  return library
}
