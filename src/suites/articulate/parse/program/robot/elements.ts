/** `Joint`, `Parent`, `Origin` and the like: what a joint is described by before it is added. */
import { Instance, Native, PyType, textIn, TYPES, type Value } from '../values/index.ts'
import { Given, parametersOf } from './given.ts'

/** Names of types and what they take. */
const PARAMETERS: Readonly<Record<string, string>> = {
  Parent: 'name? link?',
  Child: 'name? link?',
  Link: 'name',
  Origin: 'xyz? rpy?',
  Axis: 'xyz?',
  Limit: 'lower? upper? effort? velocity?',
  Joint: 'name? parent? child? origin? axis? limit? type?',
}

export const ELEMENTS: ReadonlyMap<string, PyType> = new Map(
  Object.entries(PARAMETERS).map(([name, parameters]) => [name, elementType(name, parameters)]),
)

export const JOINT = ELEMENTS.get('Joint')!
const LINK = ELEMENTS.get('Link')!

function elementType(name: string, parameters: string): PyType {
  const slots = parametersOf(parameters)
  const type = new PyType(name, { bases: [TYPES.object] })
  type.construct = (rt, own, args, named) => {
    const made = new Instance(own)
    const positional: Value[] = []
    // The parts of a joint come in any order, told apart by what they are.
    for (const value of args) {
      const part = value instanceof Instance && name === 'Joint' ? value.type.name.toLowerCase() : ''
      if (part !== '' && slots.some((slot) => slot.name === part)) made.attributes.set(part, value)
      else positional.push(value)
    }
    const given = new Given(rt, name, slots, positional, named)
    for (const slot of slots) {
      const value = given.raw(slot.name)
      // `Parent(link="x")` and `Parent("x")` are the same.
      if (value !== undefined) made.attributes.set(slot.name === 'link' ? 'name' : slot.name, value)
    }
    return made
  }
  type.attributes.set(
    '__repr__',
    new Native('__repr__', (_, [self]) =>
      self instanceof Instance ? `${name}(${textIn(self.attributes.get('name'))})` : name,
    ),
  )
  return type
}

export function link(name: string): Instance {
  const made = new Instance(LINK)
  made.attributes.set('name', name)
  return made
}
