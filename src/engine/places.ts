/**
 * Where the files of opened sources lie on this machine, by names that their cases carry. Cases hold no paths: they are the
 * same on every machine and end up in queues and logs. A source says its places when it is opened; threads that play its cases
 * are told them, and a worker opens the source where it has it.
 */
import { basename, isAbsolute, sep } from 'node:path'
import { MissingAssetError } from '../base/errors.ts'

export type Places = ReadonlyMap<string, string>

const places = new Map<string, string>()

/** The name begins with that of the suite, and changes with the content of the source, not with its place. */
export function registerPlace(name: string, path: string): void {
  places.set(name, path)
}

/** The path with this name; `what` is what a person would call it, for when its source was never opened here. */
export function placeOf(name: string, what: string): string {
  const path = places.get(name)
  if (path === undefined) throw new MissingAssetError(`${what} cannot be found: its source was not opened here`)
  return path
}

export function openedPlaces(): Places {
  return places
}

export function adoptPlaces(opened: Places): void {
  for (const [name, path] of opened) places.set(name, path)
}

/** A sentence for the log: files are told from the folder of their source on, without where that lies on this machine. */
export function withoutPlaces(text: string): string {
  let told = text
  for (const path of new Set(places.values())) {
    if (!isAbsolute(path) || path === sep) continue
    const folder = path.endsWith(sep) ? path : `${path}${sep}`
    told = told.replaceAll(folder, '').replaceAll(path, basename(path))
  }
  return told
}
