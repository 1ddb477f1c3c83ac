const POINTER_START = 'version https://git-lfs.github.com/spec/'

/** Whether a file is what Git leaves in place of a large file that was not fetched. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  if (bytes.length > 1024) return false
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').startsWith(POINTER_START)
}
