/** Encodes masks as in the dataset: 8-bit gray PNG of the whole frame, 0 and 255. */
import { crc32, deflateSync } from 'node:zlib'

function chunk(type: string, body: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + body.length)
  bytes.writeUInt32BE(body.length, 0)
  bytes.write(type, 4, 'latin1')
  bytes.set(body, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length)
  return bytes
}

/** The mask of all pixels with this id, as base64. */
export function maskOfId(ids: ArrayLike<number>, id: number, width: number, height: number): string {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) if (ids[y * width + x] === id) rows[y * (width + 1) + 1 + x] = 255
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  const parts = [signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat(parts).toString('base64')
}
