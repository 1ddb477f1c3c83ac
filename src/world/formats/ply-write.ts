import type { TriangleMesh } from '../mesh.ts'

/** Writes a mesh as the binary little-endian PLY that scans come in: float x y z, byte colors, triangles. */
export function writePly({ positions, indices, colors }: TriangleMesh): Uint8Array<ArrayBuffer> {
  const vertexCount = positions.length / 3
  const faceCount = indices.length / 3
  const header = new TextEncoder().encode(
    [
      'ply',
      'format binary_little_endian 1.0',
      `element vertex ${vertexCount}`,
      'property float x',
      'property float y',
      'property float z',
      ...(colors ? ['property uchar red', 'property uchar green', 'property uchar blue'] : []),
      `element face ${faceCount}`,
      'property list uchar int vertex_indices',
      'end_header',
      '',
    ].join('\n'),
  )
  const stride = colors ? 15 : 12
  const bytes = new Uint8Array(header.byteLength + vertexCount * stride + faceCount * 13)
  bytes.set(header)
  const view = new DataView(bytes.buffer)
  let at = header.byteLength
  for (let i = 0; i < positions.length; i += 3) {
    for (let k = 0; k < 3; k++) view.setFloat32(at + k * 4, positions[i + k]!, true)
    if (colors) for (let k = 0; k < 3; k++) bytes[at + 12 + k] = colors[i + k]!
    at += stride
  }
  for (let i = 0; i < indices.length; i += 3) {
    bytes[at] = 3
    for (let k = 0; k < 3; k++) view.setInt32(at + 1 + k * 4, indices[i + k]!, true)
    at += 13
  }
  return bytes
}
