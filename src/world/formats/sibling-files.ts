import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { codeOf, fileErrorReason, messageOf, UserError } from '../../base/errors.ts'
import type { Texture } from '../mesh.ts'
import { decodeImage, imageSize } from '../../media/image.ts'
import { decodeKtx2, isKtx2, ktx2Size } from '../../media/ktx2.ts'
import { readRegular } from '../../base/regular-file.ts'
import { isLfsPointer } from '../../base/git-lfs.ts'

/** Texels that all pictures of a mesh may have together: 1 GiB of memory. */
const TEXEL_LIMIT = 2 ** 28

/** Other files that a mesh may name: a small text can name a hundred thousand. */
const FILE_LIMIT = 4096

/** Bytes that all files which a mesh names may have together. */
const BYTE_LIMIT = 4 * 2 ** 30

/** What the files that a mesh names may take: counted before anything is allocated for them. */
export class ReadAllowance {
  readonly #onRead: (bytes: number) => void
  #bytes = 0
  #texels = 0

  /** @param onRead called with the size of each file */
  constructor(onRead: (bytes: number) => void = () => {}) {
    this.#onRead = onRead
  }

  async read(path: string): Promise<Buffer> {
    const { size } = await stat(path)
    this.#bytes += size
    if (this.#bytes > BYTE_LIMIT) throw new UserError('all files of the mesh together are too large')
    this.#onRead(size)
    return readRegular(path, size)
  }

  takeTexels({ width, height }: { width: number; height: number }): void {
    this.#texels += width * height
    if (this.#texels > TEXEL_LIMIT) throw new UserError('all pictures together are too large')
  }
}

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
  readonly allowance: ReadAllowance
  #named = 0
  readonly #listings = new Map<string, Promise<string[] | undefined>>()
  readonly #textures = new Map<string, Promise<Texture | undefined>>()

  constructor(file: string, allowance = new ReadAllowance()) {
    this.allowance = allowance
    this.#folder = dirname(resolve(file))
    this.#root = dirname(this.#folder)
  }

  /** The bytes of a named file, or undefined with a note. */
  async read(name: string): Promise<Uint8Array | undefined> {
    this.count++
    const found = await this.find(name)
    if (found === undefined) return undefined
    try {
      const bytes = await this.allowance.read(found)
      if (!isLfsPointer(bytes)) return bytes
      this.notes.push(`"${shown(name)}" is a Git LFS pointer, not the file itself; run \`git lfs pull\``)
    } catch (error) {
      this.notes.push(`"${shown(name)}" cannot be read: ${fileErrorReason(error)}`)
    }
    return undefined
  }

  /**
   * Where a named file is, or undefined with a note. Paths of the machine that wrote the mesh, and names in another
   * case, are looked for in the mesh's folder.
   */
  async find(name: string): Promise<string | undefined> {
    if (++this.#named > FILE_LIMIT) {
      if (this.#named === FILE_LIMIT + 1)
        this.notes.push(`only the first ${FILE_LIMIT} of the files that it names were read`)
      return undefined
    }
    const slashed = name.replaceAll('\\', '/')
    const path = resolve(this.#folder, slashed)
    const inside = relative(this.#root, path)
    const contained = !name.includes('\0') && inside.split(sep)[0] !== '..' && resolve(this.#root, inside) === path
    if (contained) {
      const found = await this.#inFolder(dirname(path), basename(path))
      if (found !== undefined) return found
    }
    const found = await this.#inFolder(this.#folder, slashed.slice(slashed.lastIndexOf('/') + 1))
    if (found !== undefined) return found
    this.notes.push(
      contained
        ? `"${shown(name)}" was not found next to the mesh`
        : `"${shown(name)}" lies outside of the mesh's folder and was not read`,
    )
    return undefined
  }

  /** The file of this name in a folder, in upper or lower case. */
  async #inFolder(folder: string, name: string): Promise<string | undefined> {
    if (name === '' || name === '.' || name === '..') return undefined
    const listing = this.#listings.get(folder) ?? namesIn(folder)
    this.#listings.set(folder, listing)
    const names = await listing
    if (!names) return join(folder, name)
    const found = names.includes(name) ? name : names.find((other) => other.toLowerCase() === name.toLowerCase())
    return found === undefined ? undefined : join(folder, found)
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
      const ktx2 = isKtx2(bytes)
      this.allowance.takeTexels(ktx2 ? ktx2Size(bytes) : await imageSize(bytes))
      const { width, height, data } = await (ktx2 ? decodeKtx2(bytes) : decodeImage(bytes, { channels: 4 }))
      // The memory of an image library cannot be handed to another thread.
      return { width, height, rgba: new Uint8Array(data) }
    } catch (error) {
      this.notes.push(`texture "${shown(name)}" could not be decoded: ${messageOf(error)}`)
      return undefined
    }
  }
}

/** Undefined where a folder cannot be listed but may still hold the file. */
function namesIn(folder: string): Promise<string[] | undefined> {
  return readdir(folder).catch((error: unknown) => (codeOf(error) === 'EACCES' ? undefined : []))
}

function shown(name: string): string {
  return name.length > 80 ? `${name.slice(0, 77)}…` : name
}
