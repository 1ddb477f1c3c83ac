import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import type { Texture } from '../mesh.ts'
import { decodeImage } from '../../media/image.ts'

/**
 * Files that a mesh file names: material libraries, buffers, textures. A mesh may come from anywhere, so what it names
 * must lie in its own folder or in that folder's parent (object collections keep `images/` next to `meshes/`).
 */
export class SiblingFiles {
  readonly #folder: string
  readonly #root: string
  /** What could not be read, in words. The mesh is used without it. */
  readonly notes: string[] = []
  /** How many other files were read. */
  count = 0
  readonly #textures = new Map<string, Promise<Texture | undefined>>()

  constructor(file: string) {
    this.#folder = dirname(resolve(file))
    this.#root = dirname(this.#folder)
  }

  /** The bytes of a named file, or undefined with a note. */
  async read(name: string): Promise<Uint8Array | undefined> {
    const path = resolve(this.#folder, name.replaceAll('\\', '/'))
    const inside = relative(this.#root, path)
    if (inside.startsWith('..') || resolve(this.#root, inside) !== path || inside.split(sep)[0] === '..') {
      this.notes.push(`"${name}" lies outside of the mesh's folder and was not read`)
      return undefined
    }
    this.count++
    try {
      return await readFile(path)
    } catch (error) {
      this.notes.push(`"${name}" could not be read: ${messageOf(error)}`)
      return undefined
    }
  }

  /** A picture as a texture, decoded once however many materials name it. */
  texture(name: string): Promise<Texture | undefined> {
    let texture = this.#textures.get(name)
    if (!texture) {
      texture = this.read(name).then((bytes) => (bytes ? this.decode(bytes, name) : undefined))
      this.#textures.set(name, texture)
    }
    return texture
  }

  async decode(bytes: Uint8Array, name: string): Promise<Texture | undefined> {
    try {
      const { width, height, data } = await decodeImage(bytes, { channels: 4 })
      return { width, height, rgba: data }
    } catch (error) {
      this.notes.push(`texture "${name}" could not be decoded: ${messageOf(error)}`)
      return undefined
    }
  }
}
