const POINTER_START = 'version https://git-lfs.github.com/spec/'

/** Whether a file is what Git leaves in place of a large file that was not fetched. */
export function isLfsPointer(content: Uint8Array | string): boolean {
  const start =
    typeof content === 'string' ? content : Buffer.from(content.subarray(0, POINTER_START.length)).toString('latin1')
  return start.startsWith(POINTER_START)
}
