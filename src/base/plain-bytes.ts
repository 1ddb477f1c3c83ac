/** Copies small Buffers out of their shared pool, which must not be kept alive or transferred. */
export function plainBytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  if (buffer.buffer instanceof ArrayBuffer && buffer.byteLength === buffer.buffer.byteLength) {
    return new Uint8Array(buffer.buffer)
  }
  return new Uint8Array(buffer)
}
