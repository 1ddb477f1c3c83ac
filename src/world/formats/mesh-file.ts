import { codeOf, fileErrorReason, UserError } from '../../base/errors.ts'
import { plainBytes } from '../../base/plain-bytes.ts'
import { readRegular } from '../../base/regular-file.ts'

/** The bytes of a mesh file, or a sentence on why there are none. */
export async function readMeshFile(path: string, read = readRegular): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return plainBytes(await read(path))
  } catch (error) {
    if (error instanceof UserError) throw error
    if (codeOf(error) === 'ENOENT') throw new UserError(`File not found: ${path}`, { cause: error })
    throw new UserError(`The mesh ${path} cannot be read: ${fileErrorReason(error)}.`, { cause: error })
  }
}
