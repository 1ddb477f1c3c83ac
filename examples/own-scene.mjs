/**
 * Writes a small scene as other tools save one: `node examples/own-scene.mjs my-rooms` makes `my-rooms/studio` with a GLB
 * file and the boxes of its objects. `--source scenes:my-rooms` asks questions about it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Width (x), depth (y) and height (z) of a box, and the middle of its bottom, in meters, z up. */
const furniture = [
  ['sofa', [2, 0.9, 0.8], [1.5, 0.6, 0], [130, 60, 50]],
  ['coffee table', [1, 0.6, 0.42], [1.6, 1.8, 0], [150, 110, 70]],
  ['vase', [0.22, 0.22, 0.4], [1.6, 1.8, 0.42], [60, 120, 150]],
  ['bookshelf', [0.35, 1.2, 1.9], [0.2, 3.6, 0], [120, 80, 50]],
  ['desk', [1.5, 0.7, 0.74], [4.9, 4.5, 0], [170, 130, 90]],
  ['monitor', [0.6, 0.15, 0.42], [4.9, 4.7, 0.74], [30, 30, 35]],
  ['chair', [0.5, 0.5, 0.95], [4.9, 3.8, 0], [60, 90, 60]],
  ['chair', [0.5, 0.5, 0.95], [3.4, 2.4, 0], [60, 90, 60]],
  ['chair', [0.5, 0.5, 0.95], [5.4, 0.6, 0], [60, 90, 60]],
  ['refrigerator', [0.7, 0.7, 1.8], [5.6, 2.4, 0], [220, 220, 225]],
  ['plant', [0.5, 0.5, 1.2], [0.5, 4.7, 0], [50, 130, 60]],
  ['washing machine', [0.6, 0.6, 0.85], [3.9, 0.4, 0], [235, 235, 235]],
  ['trash can', [0.3, 0.3, 0.5], [2.7, 4.8, 0], [90, 90, 100]],
  ['picture', [1.1, 0.04, 0.8], [2.4, 4.97, 1.3], [180, 150, 60]],
  ['suitcase', [0.5, 0.3, 0.7], [0.35, 2.2, 0], [160, 40, 90]],
]
const [WIDE, DEEP, HIGH, WALL] = [6, 5, 2.6, 0.1]
const building = [
  ['floor', [WIDE, DEEP, WALL], [WIDE / 2, DEEP / 2, -WALL], [190, 170, 140]],
  ['ceiling', [WIDE, DEEP, WALL], [WIDE / 2, DEEP / 2, HIGH], [240, 240, 235]],
  ['wall', [WALL, DEEP, HIGH], [-WALL / 2, DEEP / 2, 0], [225, 220, 205]],
  ['wall', [WALL, DEEP, HIGH], [WIDE + WALL / 2, DEEP / 2, 0], [225, 220, 205]],
  ['wall', [WIDE, WALL, HIGH], [WIDE / 2, -WALL / 2, 0], [215, 225, 215]],
  ['wall', [WIDE, WALL, HIGH], [WIDE / 2, DEEP + WALL / 2, 0], [215, 225, 215]],
]

/** One cube, used by every node with its own place and size. glTF has y up: x, z, -y of the boxes above. */
function glbOf(boxes) {
  const positions = new Float32Array(24 * 3)
  const indices = new Uint16Array(36)
  for (let face = 0; face < 6; face++) {
    const [axis, sign] = [face % 3, face < 3 ? 1 : -1]
    for (let corner = 0; corner < 4; corner++) {
      const [u, v] = [corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5]
      const at = (face * 4 + corner) * 3
      positions[at + axis] = sign / 2
      positions[at + ((axis + 1) % 3)] = u * sign
      positions[at + ((axis + 2) % 3)] = v
    }
    indices.set(
      [0, 1, 2, 2, 1, 3].map((k) => face * 4 + k),
      face * 6,
    )
  }
  const bin = Buffer.concat([Buffer.from(positions.buffer), Buffer.from(indices.buffer)])
  const json = {
    asset: { version: '2.0', generator: 'own-scene.mjs' },
    scene: 0,
    scenes: [{ nodes: boxes.map((_, i) => i) }],
    nodes: boxes.map(([name, [w, d, h], [x, y, z]], mesh) => ({
      name,
      mesh,
      translation: [x, z + h / 2, -y],
      scale: [w, h, d],
    })),
    meshes: boxes.map((_, material) => ({ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material }] })),
    materials: boxes.map(([name, , , color]) => ({
      name,
      pbrMetallicRoughness: { baseColorFactor: [...color.map((value) => (value / 255) ** 2.2), 1], metallicFactor: 0 },
    })),
    accessors: [
      { bufferView: 0, componentType: 5126, count: 24, type: 'VEC3', min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] },
      { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: positions.byteLength },
      { buffer: 0, byteOffset: positions.byteLength, byteLength: indices.byteLength },
    ],
    buffers: [{ byteLength: bin.length }],
  }
  const text = Buffer.from(JSON.stringify(json))
  const chunk = (type, bytes, fill) => {
    const padded = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, fill)])
    const head = Buffer.alloc(8)
    head.writeUInt32LE(padded.length, 0)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, padded])
  }
  const chunks = Buffer.concat([chunk('JSON', text, ' '), chunk('BIN\0', bin, 0)])
  const head = Buffer.alloc(12)
  head.write('glTF', 0, 'latin1')
  head.writeUInt32LE(2, 4)
  head.writeUInt32LE(12 + chunks.length, 8)
  return Buffer.concat([head, chunks])
}

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('Usage: node examples/own-scene.mjs FOLDER')
  process.exit(2)
}
const studio = join(folder, 'studio')
mkdirSync(studio, { recursive: true })
writeFileSync(join(studio, 'studio.glb'), glbOf([...building, ...furniture]))
const objects = furniture.map(([name, size, [x, y, z]]) => ({ name, center: [x, y, z + size[2] / 2], size }))
writeFileSync(
  join(studio, 'scene.json'),
  JSON.stringify({ mesh: 'studio.glb', floorArea: WIDE * DEEP, objects }, null, 2),
)
console.log(`Wrote ${studio}. Try: sightline list vsi/video --samples --source scenes:${folder}`)
