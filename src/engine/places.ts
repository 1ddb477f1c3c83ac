import { MissingAssetError } from '../base/errors.ts'

/**
 * Where the files of opened sources lie on this machine, by names that their cases carry. Cases hold no paths: they are the
 * same on every machine and end up in queues and logs. Filled whenever a source is opened, in every process and thread that
 * plays its cases.
 */
export class Places<Place> {
  readonly #places = new Map<string, Place>()

  set(name: string, place: Place): void {
    this.#places.set(name, place)
  }

  /** The place with this name; `what` says what is looked for when its source was never opened here. */
  get(name: string, what: string): Place {
    const place = this.#places.get(name)
    if (place === undefined)
      throw new MissingAssetError(`${what} cannot be found: its source was not opened in this process`)
    return place
  }
}
