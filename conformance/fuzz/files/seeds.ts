/** Small valid files, made by our own writers and by the libraries that others use. */
import { Document } from '@gltf-transform/core'
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions'
import { strToU8, zipSync } from 'fflate'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { encodeJpeg, encodePng, videoBackend } from '../../../src/media/index.ts'
import { sharp } from '../../../src/media/sharp.ts'
import { writeGlb } from '../../../src/world/formats/glb-write.ts'
import { writePly } from '../../../src/world/formats/ply-write.ts'
import { sceneToJson } from '../../../src/suites/space/domain/grid/scene-json.ts'
import { generateScene as generateGridScene } from '../../../src/suites/space/samples/generate.ts'
import { generateScene } from '../../../src/world/rooms/generate.ts'
import { SCENE_KINDS } from '../../../src/world/rooms/scene.ts'
import { boxRoom } from '../../../test/support/world/box-room.ts'
import { CUBE, glbOf } from '../../../test/support/world/gltf-files.ts'

const json = (value: unknown): Uint8Array => strToU8(JSON.stringify(value, null, 1))
const lines = (...values: unknown[]): Uint8Array =>
  strToU8(values.map((value) => `${JSON.stringify(value)}\n`).join(''))

const inspectSample = {
  id: 'a',
  epoch: 1,
  input: [{ role: 'user', content: [{ type: 'text', text: 'How many chairs?' }] }],
  target: '4',
  output: { completion: 'attachment://x1', choices: [{ message: { role: 'assistant', content: '4' } }] },
  scores: { match: { value: 'C' }, parts: { value: { a: 0.5, b: true } } },
  metadata: { type: 'count', rooms: 3 },
  attachments: { x1: 'It has 4 chairs.' },
}
const inspectHeader = { version: 2, eval: { task: 't', model: 'm', task_args: { a: 1 }, metadata: {} } }

export const inspectEval = (): Uint8Array[] => [
  zipSync({ 'header.json': json(inspectHeader), 'samples/a_epoch_1.json': json(inspectSample) }),
  zipSync({ '_journal/start.json': json(inspectHeader), 'samples/a_epoch_1.json': json(inspectSample) }, { level: 0 }),
]
export const inspectJson = (): Uint8Array[] => [
  json({ ...inspectHeader, samples: [inspectSample, { ...inspectSample, id: 2 }] }),
]
export const lmmsEval = (): Uint8Array[] => [
  lines(
    { doc_id: 0, target: 'A', resps: [['A']], filtered_resps: ['A'], accuracy: 1, vsi: { mra: 0.5, kind: 'size' } },
    { doc_id: 1, target: 4, resps: [['four']], doc: { id: 'x', question: 'q' }, score: Number.NaN },
  ),
]
export const vlmTable = (): Uint8Array[] => [
  strToU8('index\tquestion\tanswer\tprediction\thit\n1\tHow many?\t4\t"four\nchairs"\t1\n2\tWhich?\tA\tB\t0\n'),
  strToU8('index,question,answer,prediction\n1,"a ""b"", c",4,5\n'),
]
export const vlmJson = (): Uint8Array[] => [json([{ index: 1, question: 'q', answer: 'A', prediction: 'B', hit: 0 }])]

export function xlsx(): Uint8Array[] {
  const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const parts = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}" count="2" uniqueCount="2"><si><t>four</t></si><si><r><t>fi</t></r><r><t>ve</t></r></si></sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><dimension ref="A1:D2"/><sheetData><row r="1">${cell('A1', 'index')}${cell('B1', 'prediction')}${cell('C1', 'answer')}${cell('D1', 'when')}</row><row r="2"><c r="A2"><v>1</v></c><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" s="1"><v>45000</v></c></row></sheetData></worksheet>`,
  }
  return [zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))]
}

const vsiRow = (id: number) => ({
  id,
  dataset: 'scannet',
  scene_name: 'scene0000_00',
  question_type: 'object_counting',
  question: 'How many chair(s) are in this room?',
  options: null,
  ground_truth: '4',
})
export const vsiJsonl = (): Uint8Array[] => [lines(vsiRow(0), vsiRow(1), { ...vsiRow(2), options: ['A. 1', 'B. 2'] })]
export function vsiParquet(): Uint8Array[] {
  const rows = Array.from({ length: 40 }, (_, i) => vsiRow(i))
  const column = (name: keyof ReturnType<typeof vsiRow>) => rows.map((row) => row[name])
  const written = (codec: 'SNAPPY' | 'UNCOMPRESSED') =>
    new Uint8Array(
      parquetWriteBuffer({
        codec,
        columnData: [
          { name: 'id', data: column('id'), type: 'INT32' },
          ...(['dataset', 'scene_name', 'question_type', 'question', 'ground_truth'] as const).map((name) => ({
            name,
            data: column(name),
            type: 'STRING' as const,
          })),
        ],
      }),
    )
  return [written('SNAPPY'), written('UNCOMPRESSED')]
}
export const vsiMeta = (): Uint8Array[] => [
  json({
    scene0000_00: {
      room_size: 12.5,
      object_counts: { chair: 2 },
      object_bbox: { chair: [{ min: [0, 0, 0], max: [1, 1, 1] }] },
    },
  }),
]
const annotation = {
  id: 7,
  video_name: 'a.mp4',
  task_template: '指令1',
  timestamp: 2.5,
  asr_result: { text: 'this one', words: [{ text: 'this', begin_time: 0.1, end_time: 0.4, punctuation: '' }] },
  object_space: [
    {
      name: 'cup',
      type: 'object',
      points: [[100, 200]],
      asr_begin_time: 0.1,
      asr_end_time: 0.4,
      mask: { mask_base64: 'iVBORw0KGgo=', bbox: [0, 0, 5, 5], point_on_mask: [2, 3] },
    },
  ],
}
export const vsigAnnotations = (): Uint8Array[] => [json([annotation])]
export const vsigResults = (): Uint8Array[] => [
  json({
    model_name: 'm',
    dataset: 'd',
    predictions: [{ video_name: 'a.mp4', response: '[1, 2]' }],
    ground_truths: [annotation],
  }),
]
export const vbenchResults = (): Uint8Array[] => [
  zipSync({
    'a_eval_results.json': json({
      'subject consistency': [0.9, [{ video_path: 'a.mp4', video_results: 0.9 }]],
      color: [0.5, []],
    }),
  }),
]
export const spaceScene = (): Uint8Array[] => [json(sceneToJson(generateGridScene({ seed: 'fuzz', rooms: 2 })))]
export const worldScene = (): Uint8Array[] => [json(generateScene({ seed: 7, kind: SCENE_KINDS[0] }))]
export const settings = (): Uint8Array[] => [
  json({ run: { model: ['openai/x'] }, suites: ['./a.ts'], generators: { a: { url: 'http://localhost:1' } } }),
]
export const prices = (): Uint8Array[] => [json({ models: { 'openai/x': { input: 1.75, output: 14 } } })]

const room = boxRoom({ size: [2, 2] })
async function packed(compress: (document: Document) => void): Promise<Uint8Array> {
  const document = new Document()
  const buffer = document.createBuffer()
  const place = document.createAccessor().setType('VEC3').setArray(CUBE.positions).setBuffer(buffer)
  const order = document.createAccessor().setType('SCALAR').setArray(CUBE.indices).setBuffer(buffer)
  const primitive = document.createPrimitive().setAttribute('POSITION', place).setIndices(order)
  document.createScene().addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)))
  compress(document)
  return glbOf(document)
}
export const draco = async () => [
  await packed((document) => document.createExtension(KHRDracoMeshCompression).setRequired(true)),
]
export const meshopt = async () => [
  await packed((document) => document.createExtension(EXTMeshoptCompression).setRequired(true)),
]
export const glb = async () => [await writeGlb(room), await packed(() => {})]
export function gltf(): Uint8Array[] {
  const data = Buffer.concat([Buffer.from(CUBE.positions.buffer), Buffer.from(CUBE.indices.buffer)])
  const [positions, indices] = [CUBE.positions, CUBE.indices]
  return [
    json({
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [
        { mesh: 0, children: [1], rotation: [0, 0, 0, 1] },
        { mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1] },
      ],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
      materials: [{ pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1], baseColorTexture: { index: 0 } } }],
      textures: [{ source: 0 }],
      images: [
        {
          uri: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        },
      ],
      accessors: [
        { bufferView: 0, componentType: 5126, count: positions.length / 3, type: 'VEC3' },
        { bufferView: 1, componentType: 5123, count: indices.length, type: 'SCALAR' },
      ],
      bufferViews: [
        { buffer: 0, byteOffset: 0, byteLength: positions.byteLength },
        { buffer: 0, byteOffset: positions.byteLength, byteLength: indices.byteLength },
      ],
      buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
    }),
  ]
}
export const obj = () => [
  strToU8(
    'mtllib a.mtl\no one\nv 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nvt 0 0\nvt 1 1\nvn 0 0 1\nusemtl a\ns 1\nf 1/1/1 2/2/1 3/1/1\nf -1 -2 -3\ng two\nf 1//1 2//1 3//1\n',
  ),
]
export const mtl = () => [strToU8('newmtl a\nKd 0.5 0.5 0.5\nmap_Kd -s 1 1 1 a.png\nd 0.9\nnewmtl b\nKd 1 0 0\n')]
export const ply = () => [
  writePly(room),
  strToU8(
    'ply\nformat ascii 1.0\ncomment TextureFile a.png\nelement vertex 4\nproperty float x\nproperty double y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n0 0 0 1 2 3\n1 0 0 1 2 3\n0 1 0 4 5 6\n1 1 1 7 8 9\n3 0 1 2 2 0.5 0.5\n4 0 1 3 2 0\n',
  ),
]
export function stl(): Uint8Array[] {
  const binary = new DataView(new ArrayBuffer(84 + 2 * 50))
  binary.setUint32(80, 2, true)
  for (const [i, value] of [0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0].entries()) {
    binary.setFloat32(84 + i * 4, value, true)
    binary.setFloat32(134 + i * 4, value + 1, true)
  }
  return [
    strToU8(
      'solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid',
    ),
    new Uint8Array(binary.buffer),
  ]
}
export const dae = () => [
  strToU8(`<?xml version="1.0"?><COLLADA version="1.4.1"><asset><unit meter="0.01"/></asset>
<library_effects><effect id="e"><profile_COMMON><technique><lambert><diffuse><color>1 0 0 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array>
<technique_common><accessor source="#a" count="3" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist count="1" material="m"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3</vcount><p>0 1 2</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><rotate>0 0 1 90</rotate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>`),
]
const MESH = '<visual><geometry><mesh filename="a.obj"/></geometry></visual>'
export const partnet = () => [
  strToU8(
    `<robot name="r"><link name="base"/><link name="link_0">${MESH}</link><link name="link_1">${MESH}</link><joint name="joint_0" type="revolute"><origin xyz="0 0 0"/><axis xyz="0 1 0"/><child link="link_0"/><parent link="link_1"/><limit lower="0" upper="1.5"/></joint><joint name="joint_1" type="fixed"><origin rpy="1.57 0 -1.57" xyz="0 0 0"/><child link="link_1"/><parent link="base"/></joint></robot>`,
  ),
]
export const urdf = () => [
  strToU8(`<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material><link name="a"><visual><geometry><box size="1 2 3"/></geometry></visual></link>
<link name="b"><visual><origin xyz="0 0 1"/><geometry><cylinder radius="1" length="2"/></geometry><material name="red"/></visual></link>
<joint name="j" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>`),
]

const picture = (width = 24, height = 16) => ({
  width,
  height,
  channels: 3 as const,
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 37) % 256),
})
const drawn = () => sharp()(picture().data, { raw: { width: 24, height: 16, channels: 3 } })
export const png = async () => [
  await encodePng(picture()),
  await drawn().png({ palette: true }).toBuffer(),
  await drawn().png({ progressive: true }).toBuffer(),
  await drawn().greyscale().toColourspace('b-w').png().toBuffer(),
]
export const jpeg = async () => [
  await encodeJpeg(picture()),
  await drawn().jpeg({ progressive: true, quality: 60 }).toBuffer(),
]
export const webp = async () => [await drawn().webp().toBuffer(), await drawn().webp({ lossless: true }).toBuffer()]
export const tiff = async () => [await drawn().tiff().toBuffer()]
export async function gif(): Promise<Uint8Array[]> {
  const frames = Buffer.concat([picture().data, picture().data.map((value) => 255 - value)])
  return [
    await sharp()(frames, { raw: { width: 24, height: 32, channels: 3, pageHeight: 16 } })
      .gif({ delay: [50, 80] })
      .toBuffer(),
  ]
}
/** A KTX 2 texture of 8 × 8 texels in four blocks of UASTC, each of one color. */
export function ktx2(): Uint8Array[] {
  const [headerBytes, levelBytes, descriptorBytes, blocks, blockBytes] = [80, 24, 44, 4, 16]
  const descriptor = headerBytes + levelBytes
  const texels = descriptor + descriptorBytes
  const file = new DataView(new ArrayBuffer(texels + blocks * blockBytes))
  const put32 = (at: number, ...values: number[]) =>
    values.forEach((value, i) => file.setUint32(at + i * 4, value, true))
  const put8 = (at: number, ...values: number[]) => values.forEach((value, i) => file.setUint8(at + i, value))
  put8(0, 0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a)
  // No Vulkan format, type size 1, width, height, no depth, no layers, one face, one level, not compressed further.
  put32(12, 0, 1, 8, 8, 0, 0, 1, 1, 0)
  put32(48, descriptor, descriptorBytes)
  // The level: offset, length and unpacked length, 64 bits each.
  put32(headerBytes, texels, 0, blocks * blockBytes, 0, blocks * blockBytes, 0)
  // Version 2, 40 bytes; UASTC, BT.709, sRGB; blocks of 4 × 4 texels in 16 bytes; one sample of 128 bits.
  put32(descriptor, descriptorBytes, 0)
  put8(descriptor + 8, 2, 0, 40, 0, 166, 1, 2, 0, 3, 3, 0, 0, blockBytes)
  put8(descriptor + 30, 127, 3)
  put32(descriptor + 40, 0xffffffff)
  // Mode 8, a block of one color: five bits of mode, then eight each of red, green, blue and alpha.
  const MODE = 0x17n
  for (let block = 0; block < blocks; block++) {
    const color = BigInt(block * 60) | (80n << 8n) | (160n << 16n) | (255n << 24n)
    file.setBigUint64(texels + block * blockBytes, MODE | (color << 5n), true)
  }
  return [new Uint8Array(file.buffer)]
}
export async function mp4(): Promise<Uint8Array[]> {
  const frames = Array.from({ length: 8 }, () => picture(32, 32))
  return [(await (await videoBackend()).encode(frames, { width: 32, height: 32, fps: 10 })).bytes]
}
export async function webm(): Promise<Uint8Array[]> {
  const { BufferTarget, Output, QUALITY_LOW, VideoSample, VideoSampleSource, WebMOutputFormat } =
    await import('mediabunny')
  // Registers the encoders.
  await videoBackend('mediabunny')
  const target = new BufferTarget()
  const output = new Output({ format: new WebMOutputFormat(), target })
  const source = new VideoSampleSource({ codec: 'vp8', bitrate: QUALITY_LOW })
  output.addVideoTrack(source)
  await output.start()
  for (let i = 0; i < 6; i++) {
    const sample = new VideoSample(new Uint8Array(32 * 32 * 4).fill(i * 40), {
      format: 'RGBA',
      codedWidth: 32,
      codedHeight: 32,
      timestamp: i / 10,
      duration: 0.1,
    })
    await source.add(sample)
    sample.close()
  }
  await output.finalize()
  return [new Uint8Array(target.buffer!)]
}
export function wav(): Uint8Array[] {
  const bytes = Buffer.alloc(44 + 400)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(436, 4)
  bytes.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, 16_000],
    [28, 32_000],
    [40, 400],
  ] as const)
    bytes.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    bytes.writeUInt16LE(value, at)
  bytes.write('data', 36)
  return [Uint8Array.from(bytes)]
}

const QUESTIONS = `format: 1
name: discs
data: { files: rows.jsonl, derive: { room: { from: id, pattern: '^([a-z]+)' } }, paths: { 'pictures/': '' } }
columns: { id: id, question: question, options: options, answer: answer, images: image, cluster: '{room}', labels: { type: type } }
answer: { kind: choice }
cases: [{ when: { type: count }, answer: { kind: number, unit: m }, score: { mra: [0.5, 0.9] } }]
prompt: { system: Look., text: "{question}\\n{options}" }
media: { place: marks, mark: <image> }
profiles: { ours: {}, first: { read: { narrow: [{ pattern: '(.*)$' }], rules: [whole, mmmu, { pattern: '([A-D])' }, { json: a.b }] } } }
total: { mean: [{ title: A, where: { type: x } }, { by: type, weight: count }], adjusted: chance, also: [{ title: B, circular: true }] }
`
const QUESTION_ROWS = [
  {
    id: 'a1',
    question: 'Where is it? <image>',
    options: ['left', 'right'],
    answer: 'B',
    image: 'pictures/a.png',
    type: 'x',
  },
  { id: 'b2', question: 'Where?', options: "['left', 'right']", answer: 'A', image: ['a.png', '../a.png'], type: 'y' },
  { id: 'c3', question: 'How far?', options: null, answer: 2.5, image: 'a.png', type: 'count' },
]
const FOLDER_QUESTIONS = `format: 1
name: photos
data: { files: ., format: folder, where: { ending: png } }
columns: { id: path, answer: folder, images: path }
answer: { kind: text }
score: exact
prompt: { text: "{name}" }
`
const EXTENDED_QUESTIONS = `format: 1
extends: embspatial-bench
name: own
data: { files: rows.jsonl, hub: { config: c, split: test, files: ['*.zip'] }, where: { type: [x, y] } }
columns: { id: id, options: options, answer: answer, images: image, labels: { relation: type, source: null } }
answer: { written: null }
read: { drop: [<b>], rules: [stated, { pattern: '(.*)', without: ' "', final: true }] }
profiles: null
`
const MEDIA_QUESTIONS = `format: 1
name: media
data: { files: media.jsonl }
columns: { id: id, question: question, answer: answer, mask: mask, video: "{clips}", images: "{image}", sound: sound, width: w, height: h }
answer: { kind: box, scale: pixels }
read: { scale: 0-1 }
media: { place: marks, frames: 2, label: "{n}" }
cases:
  - { when: { kind: mask }, answer: { kind: point, written: mask } }
  - { when: { kind: moves }, answer: { kind: moves, axes: [[up, down], [left, right]] }, score: { mra: [0.5], of: answer, rounding: binary } }
`
const clips = [['a.png', 'a.png', 'a.png'], ['a.png']]
const MEDIA_ROWS = [
  {
    id: 1,
    kind: 'box',
    question: '<video> <image>',
    answer: [1, 2, 3, 4],
    mask: null,
    clips,
    image: ['a.png'],
    sound: null,
    w: 4,
    h: 4,
  },
  { id: 2, kind: 'mask', question: '<audio>', answer: '', mask: 'a.png', clips: [], image: null, sound: 'a.png' },
  { id: 3, kind: 'moves', question: 'How?', answer: 'up:1,left:2', mask: '../a.png', clips: 'a.mp4', image: 'b.png' },
]
export const questionsFile = (): Uint8Array[] =>
  [QUESTIONS, MEDIA_QUESTIONS, FOLDER_QUESTIONS, EXTENDED_QUESTIONS].map((text) => strToU8(text))
export const questionsMedia = (): Uint8Array[] => [lines(...MEDIA_ROWS)]
export const questionsJsonl = (): Uint8Array[] => [lines(...QUESTION_ROWS)]
export const questionsCsv = (): Uint8Array[] => [
  strToU8(
    'id,question,options,answer,image,type\na1,"Where, ""exactly""?","[""left"", ""right""]",B,a.png,x\nc3,How far?,,2.5,a.png,count\n',
  ),
]
export function questionsParquet(): Uint8Array[] {
  const text = (name: 'id' | 'question' | 'type') => ({
    name,
    type: 'STRING' as const,
    data: QUESTION_ROWS.map((row) => row[name]),
  })
  const columnData = [
    ...(['id', 'question', 'type'] as const).map(text),
    { name: 'options', type: 'STRING' as const, data: QUESTION_ROWS.map(() => '["left", "right"]') },
    { name: 'answer', type: 'STRING' as const, data: ['A', 'B', '2.5'] },
    { name: 'image', type: 'STRING' as const, data: QUESTION_ROWS.map(() => 'a.png') },
  ]
  return [new Uint8Array(parquetWriteBuffer({ columnData }))]
}
