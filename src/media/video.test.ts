import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ChildPort } from '../base/child-port.ts'
import { UserError } from '../base/errors.ts'
import { Random } from '../base/random.ts'
import { loudness } from './sound.ts'
import { BACKEND_NAMES, mediaBackends, openVideo, readFrames, videoBackend } from './backends.ts'
import type { Bitmap } from './image.ts'
import { frameAtTime } from './video.ts'

const WIDTH = 128
const HEIGHT = 64
const FRAMES = 40
const FPS = 20
const BITS = 8

/** Each frame shows its index as eight black or white bars in the upper half; the lower half is red and green. */
function numbered(index: number): Bitmap {
  const data = new Uint8Array(WIDTH * HEIGHT * 3)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const bit = (index >> Math.floor((x * BITS) / WIDTH)) & 1
      const color = y < HEIGHT / 2 ? [bit * 255, bit * 255, bit * 255] : x < WIDTH / 2 ? [230, 20, 20] : [20, 200, 20]
      data.set(color, (y * WIDTH + x) * 3)
    }
  }
  return { width: WIDTH, height: HEIGHT, channels: 3, data }
}

function* frames(count: number): Generator<Bitmap> {
  for (let index = 0; index < count; index++) yield numbered(index)
}

function numberOf({ width, data }: Bitmap): number {
  let index = 0
  for (let bit = 0; bit < BITS; bit++) {
    const x = Math.floor(((bit + 0.5) * WIDTH) / BITS)
    if (data[((HEIGHT / 4) * width + x) * 3]! > 127) index |= 1 << bit
  }
  return index
}

function pixel({ width, data }: Bitmap, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]
}

function close(found: readonly number[], expected: readonly number[], within = 12): boolean {
  return found.every((value, i) => Math.abs(value - expected[i]!) <= within)
}

/** Rotates the video clockwise by metadata alone, as phones do: the matrix in the track header. */
function rotated(mp4: Uint8Array, degrees: 90 | 180 | 270): Uint8Array {
  const bytes = Uint8Array.from(mp4)
  const header = Buffer.from(bytes.buffer).indexOf('tkhd')
  // Type, version and flags, times, track, reserved, duration (all 32 bits in version 0), layer and volume.
  const at = header + 4 + 4 + 8 + 4 + 4 + 4 + 8 + 8
  const [cos, sin] = ({ 90: [0, 1], 180: [-1, 0], 270: [0, -1] } as const)[degrees]
  const view = new DataView(bytes.buffer)
  const matrix = [cos, sin, 0, -sin, cos, 0, 0, 0, 0x40_00]
  matrix.forEach((value, i) => view.setInt32(at + i * 4, value * 0x1_00_00))
  return bytes
}

/** Damages the index: the first duration applies to two billion frames. */
function endlessTimes(mp4: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(mp4)
  const at = Buffer.from(bytes.buffer).indexOf('stts')
  new DataView(bytes.buffer).setUint32(at + 12, 2_000_000_000)
  return bytes
}

/** Corrupts one to four bytes or words, mostly in the index. */
function damaged(mp4: Uint8Array, seed: number): Uint8Array {
  const bytes = Buffer.from(mp4)
  const random = new Random(`damage/${seed}`)
  const index = bytes.indexOf('moov') - 4
  const indexBytes = bytes.readUInt32BE(index)
  for (let i = 0; i <= random.int(4); i++) {
    const at = random.unit() < 0.7 ? index + 8 + random.int(indexBytes - 12) : random.int(bytes.length - 4)
    if (random.unit() < 0.5) bytes[at] = random.int(256)
    else bytes.writeUInt32BE(random.int(2 ** 31), at)
  }
  return bytes
}

/** The same frames at uneven times. */
async function retimed(mp4: Uint8Array, times: (index: number) => number): Promise<Uint8Array> {
  const input = new Input({ source: new BufferSource(mp4), formats: ALL_FORMATS })
  const track = (await input.getPrimaryVideoTrack())!
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const source = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(source)
  await output.start()
  const decoderConfig = (await track.getDecoderConfig())!
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const index = Math.round(packet.timestamp * FPS)
    const timestamp = times(index)
    await source.add(packet.clone({ timestamp, duration: times(index + 1) - timestamp }), { decoderConfig })
  }
  await output.finalize()
  return new Uint8Array(target.buffer!)
}

const states = await mediaBackends()
const working = states.filter(({ version }) => version !== null).map(({ name }) => name)

let folder: string
let mp4: Uint8Array
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-video-'))
  if (working.length === 0) return
  const encoded = await (await videoBackend()).encode(frames(FRAMES), { width: WIDTH, height: HEIGHT, fps: FPS })
  mp4 = encoded.bytes
  await writeFile(join(folder, 'plain.mp4'), mp4)
})
afterAll(() => rm(folder, { recursive: true }))

test('reports the backends, and uses the first that works', () => {
  expect(states.map(({ name }) => name)).toEqual([...BACKEND_NAMES])
  expect(states.filter(({ used }) => used).map(({ name }) => name)).toEqual(working.slice(0, 1))
  for (const { version, problem } of states) expect((version === null) !== (problem === null)).toBe(true)
})

test.skipIf(!working.includes('ffmpeg'))(
  'ffmpeg: an AVI without times has the frames that can be decoded',
  async () => {
    const avi = join(folder, 'packed.avi')
    const encoding = '-v error -f lavfi -i testsrc=size=64x48:rate=30 -frames:v 12 -c:v mpeg4 -bf 2 -f avi'.split(' ')
    await promisify(execFile)('ffmpeg', [...encoding, avi])
    const video = await openVideo(avi, { backend: 'ffmpeg' })
    expect([video.info.frames, Math.round(video.info.fps)]).toEqual([12, 30])
    let seen = 0
    for await (const _ of video.frames(video.info.times.keys())) seen++
    expect(seen).toBe(12)
  },
)

test.skipIf(!working.includes('ffmpeg') || !working.includes('mediabunny'))(
  'ProRes is refused where it is opened if only the npm decoder is there',
  async () => {
    const mov = join(folder, 'prores.mov')
    const encoding = '-v error -f lavfi -i testsrc=size=64x48 -frames:v 2 -c:v prores_ks'.split(' ')
    await promisify(execFile)('ffmpeg', [...encoding, mov])
    await expect(openVideo(mov, { backend: 'mediabunny' })).rejects.toThrow(
      `Unsupported video codec in ${mov}: prores.`,
    )
    await (await openVideo(mov, { backend: 'ffmpeg' })).close()
  },
)

test.skipIf(!working.includes('ffmpeg')).each([
  [
    '4:2:2 with 10 bits',
    'size=64x48',
    '-c:v prores_ks -pix_fmt yuv422p10le -f mov',
    ['in_color_matrix=bt601:in_range=tv'],
  ],
  ['an odd height', 'size=64x47', '-c:v ffv1 -pix_fmt yuv420p -f matroska', ['in_color_matrix=bt601:in_range=tv']],
  [
    'full range by its header',
    'size=64x48',
    '-c:v libvpx-vp9 -color_range pc -pix_fmt yuv420p -f webm',
    ['in_range=tv'],
  ],
  ['RGB', 'size=64x48', '-c:v ffv1 -pix_fmt gbrp -f matroska', []],
])(
  'ffmpeg: frames of %s are those of OpenCV, of decord, and of decord at a size',
  async (_, size, encoding, reading) => {
    const file = join(folder, 'layout')
    const ffmpeg = async (args: string): Promise<Buffer> =>
      (await promisify(execFile)('ffmpeg', args.split(' '), { encoding: 'buffer' })).stdout
    await ffmpeg(`-v error -y -f lavfi -i testsrc=${size} -frames:v 1 ${encoding} ${file}`)
    const raw = (filter: string, format: string) =>
      ffmpeg(`-v error -i ${file} -vf ${filter} -f rawvideo -pix_fmt ${format} pipe:1`)
    // OpenCV asks swscale for BGR, decord for RGB.
    const bgr = await raw(['scale=flags=bicubic', ...reading].join(':'), 'bgr24')
    const video = await openVideo(file, { backend: 'ffmpeg' })
    const { value } = await video.frames([0], { opencv: true, scaled: { width: 80, height: 20 } }).next()
    const { bitmap, opencv = bitmap, scaled } = value!
    expect(Buffer.from(bitmap.data)).toEqual(await raw('null', 'rgb24'))
    expect(Buffer.from(scaled!.data)).toEqual(await raw('scale=80:20:flags=bilinear', 'rgb24'))
    expect(Buffer.from(opencv.data)).toEqual(Buffer.from(bgr.map((__, i) => bgr[i - (i % 3) + 2 - (i % 3)]!)))
  },
)

describe.each(BACKEND_NAMES)('video through %s', (backend) => {
  describe.skipIf(!working.includes(backend))('where it is installed', () => {
    const path = (name: string) => join(folder, name)
    const open = (name: string) => openVideo(path(name), { backend })
    const save = (name: string, bytes: Uint8Array) => writeFile(path(name), bytes)

    test('reports the properties of the file', async () => {
      const video = await open('plain.mp4')
      expect(video.info).toMatchObject({ width: WIDTH, height: HEIGHT, frames: FRAMES, rotation: 0, codec: 'avc' })
      expect(video.info.fps).toBeCloseTo(FPS, 6)
      expect(video.info.constantRate).toBe(true)
      expect(video.info.durationSeconds).toBeCloseTo(FRAMES / FPS, 6)
      expect(video.info.times[7]).toBeCloseTo(7 / FPS, 6)
      await video.close()
    })

    test('decodes the sound with its times, and says when there is none', async () => {
      const silent = await open('plain.mp4')
      expect(await silent.sound()).toBeNull()
      await silent.close()
      const blank: Bitmap = { width: 32, height: 32, channels: 3, data: new Uint8Array(32 * 32 * 3) }
      // A second of silence, then half a second of a tone.
      const tone = Float32Array.from({ length: 24_000 }, (_, i) => (i < 16_000 ? 0 : 0.5 * Math.sin(i / 6)))
      const coder = await videoBackend(backend)
      const options = { width: 32, height: 32, fps: 10, sound: { sampleRate: 16_000, samples: tone } }
      const { bytes } = await coder.encode(
        Array.from({ length: 15 }, () => blank),
        options,
      )
      await save(`tone-${backend}.mp4`, bytes)
      const video = await open(`tone-${backend}.mp4`)
      const heard = (await video.sound())!
      await video.close()
      expect(heard.samples.length / heard.sampleRate).toBeCloseTo(1.5, 0)
      expect(loudness(heard, 0.1, 0.9)).toBeLessThan(0.01)
      expect(loudness(heard, 1.1, 1.4)).toBeGreaterThan(0.2)
    })

    test('returns exactly the requested frames, in any order and repeatedly', async () => {
      const video = await open('plain.mp4')
      for (const wanted of [[0], [39], [17, 3, 3, 38, 0], Array.from({ length: FRAMES }, (_, i) => i)]) {
        const frames = await readFrames(video, wanted)
        expect(frames.map(({ bitmap }) => numberOf(bitmap))).toEqual(wanted)
        expect(frames.map(({ index }) => index)).toEqual(wanted)
      }
      const [frame] = await readFrames(video, [5])
      expect(close(pixel(frame!.bitmap, 20, 50), [230, 20, 20])).toBe(true)
      expect(close(pixel(frame!.bitmap, 100, 50), [20, 200, 20])).toBe(true)
      await video.close()
    })

    test('can stop in the middle', async () => {
      const video = await open('plain.mp4')
      for await (const { index } of video.frames([1, 2, 30])) {
        expect(index).toBe(1)
        break
      }
      expect((await readFrames(video, [30])).map(({ bitmap }) => numberOf(bitmap))).toEqual([30])
      await video.close()
    })

    test('reads on after its process was killed', async () => {
      const posted = vi.spyOn(ChildPort.prototype, 'postMessage')
      const video = await open('plain.mp4')
      const read: number[] = []
      for await (const { bitmap } of video.frames(Array.from({ length: FRAMES }, (_, i) => i))) {
        read.push(numberOf(bitmap))
        if (read.length === 1)
          for (const port of posted.mock.contexts) if (port instanceof ChildPort) await port.terminate()
      }
      posted.mockRestore()
      expect(read).toEqual(Array.from({ length: FRAMES }, (_, i) => i))
      await video.close()
    })

    test.each([90, 180, 270] as const)('applies a rotation of %i° from the metadata', async (degrees) => {
      await save(`turned-${degrees}.mp4`, rotated(mp4, degrees))
      const video = await open(`turned-${degrees}.mp4`)
      const size = degrees === 180 ? { width: WIDTH, height: HEIGHT } : { width: HEIGHT, height: WIDTH }
      expect(video.info).toMatchObject({ rotation: degrees, ...size })
      const [frame] = await readFrames(video, [0])
      expect(frame!.bitmap).toMatchObject(size)
      // Red is stored in the lower left; rotated clockwise it moves to the upper left, upper right, lower right.
      const [x, y] = { 90: [4, 4], 180: [WIDTH - 4, 4], 270: [HEIGHT - 4, WIDTH - 4] }[degrees] as [number, number]
      expect(close(pixel(frame!.bitmap, x, y), [230, 20, 20])).toBe(true)
      await video.close()
    })

    test('finds frames by index and by time when frame times are uneven', async () => {
      const times = (index: number) => (index < 10 ? index * 0.1 : 1 + (index - 10) * 0.025)
      await save('uneven.mp4', await retimed(mp4, times))
      const video = await open('uneven.mp4')
      expect(video.info.frames).toBe(FRAMES)
      expect(video.info.constantRate).toBe(false)
      const at = frameAtTime(video.info, 0.95)
      expect(at).toBe(9)
      expect(frameAtTime(video.info, 1.05)).toBe(12)
      const frames = await readFrames(video, [at, 25])
      expect(frames.map(({ bitmap }) => numberOf(bitmap))).toEqual([9, 25])
      expect(frames[1]!.time).toBeCloseTo(times(25), 3)
      await video.close()
    })

    test('reads a video with one frame', async () => {
      const { bytes, times } = await (
        await videoBackend(backend)
      ).encode(frames(1), { width: WIDTH, height: HEIGHT, fps: 1 })
      expect([...times]).toEqual([0])
      await save(`one-${backend}.mp4`, bytes)
      const video = await open(`one-${backend}.mp4`)
      expect(video.info.frames).toBe(1)
      expect(frameAtTime(video.info, 99)).toBe(0)
      expect(await readFrames(video, [0])).toHaveLength(1)
      await video.close()
    })

    test('encodes to the same bytes each time', async () => {
      const coder = await videoBackend(backend)
      const options = { width: WIDTH, height: HEIGHT, fps: FPS }
      const first = await coder.encode(frames(12), options)
      expect((await coder.encode(frames(12), options)).bytes).toEqual(first.bytes)
      expect([...first.times.subarray(0, 3)]).toEqual([0, 0.05, 0.1])
    })

    test('rejects frame indices out of range', async () => {
      const video = await open('plain.mp4')
      await expect(readFrames(video, [40])).rejects.toThrow(/has no frame 40; its frames are 0–39/)
      await expect(readFrames(video, [-1])).rejects.toThrow(/has no frame -1/)
      await video.close()
    })

    test.each<[string, (bytes: Uint8Array) => Uint8Array, RegExp]>([
      ['empty', () => new Uint8Array(), /empty \(0 bytes\)/],
      ['cut-off', (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.8)), /is truncated or damaged: box "mdat"/],
      ['without-index', (bytes) => bytes.subarray(0, 32), /is truncated/],
      ['with-endless-times', endlessTimes, /table "stts" covers \d+ frames, but the video has 40/],
      ['text', () => Buffer.from('this is text, not a video'), /Cannot read .* as a video/],
      // A reader of playlists would open the good video next to it.
      ['playlist', () => Buffer.from('#EXTM3U\n#EXTINF:10,\nplain.mp4\n#EXT-X-ENDLIST\n'), /Cannot read .* as a video/],
    ])('rejects a file (%s) with a clear error', async (name, damage, message) => {
      await save(`${name}.mp4`, damage(mp4))
      await expect(open(`${name}.mp4`)).rejects.toThrow(message)
      await expect(open(`${name}.mp4`)).rejects.toThrow(UserError)
    })

    test('reads a randomly damaged file or rejects it with a clear error, and never hangs', async () => {
      for (let seed = 0; seed < 24; seed++) {
        await save('damaged.mp4', damaged(mp4, seed))
        const read = async (): Promise<number> => {
          const video = await open('damaged.mp4')
          const wanted = Array.from({ length: Math.min(FRAMES, video.info.frames) }, (_, i) => i)
          try {
            return (await readFrames(video, wanted)).length
          } finally {
            await video.close()
          }
        }
        const found = await read().catch((error: unknown) => error)
        expect([seed, typeof found === 'number' || found instanceof UserError]).toEqual([seed, true])
      }
    })

    test('reports the path of a missing file', async () => {
      await expect(open('none.mp4')).rejects.toThrow(/File not found: .*none\.mp4/)
    })

    test('encodes with a faster preset', async () => {
      const coder = await videoBackend(backend)
      const size = { width: WIDTH, height: HEIGHT, fps: FPS }
      const { bytes, times, encoder } = await coder.encode(frames(FRAMES), { ...size, preset: 'ultrafast' })
      expect(encoder).toMatch(/qp=20 ultrafast bt601$/)
      expect(bytes).toEqual((await coder.encode(frames(FRAMES), { ...size, preset: 'ultrafast' })).bytes)
      const file = join(folder, `${backend}-fast.mp4`)
      await writeFile(file, bytes)
      const video = await openVideo(file, { backend })
      expect(video.info.times).toEqual(times)
      const shown = await readFrames(video, [0, 13])
      const drawn = [...frames(14)]
      for (const { index, bitmap } of shown) {
        const squares = bitmap.data.reduce((sum, value, i) => sum + (value - drawn[index]!.data[i]!) ** 2, 0)
        expect(10 * Math.log10((255 ** 2 * bitmap.data.length) / squares)).toBeGreaterThan(30)
      }
      await video.close()
    })

    test('rejects sizes that H.264 cannot encode', async () => {
      const coder = await videoBackend(backend)
      await expect(coder.encode(frames(1), { width: 127, height: 64, fps: 1 })).rejects.toThrow(
        /width and height must be even/,
      )
      await expect(coder.encode(frames(1), { width: 64, height: 64, fps: 1 })).rejects.toThrow(/Frame 0 is 128 × 64/)
      await expect(coder.encode([], { width: 64, height: 64, fps: 1 })).rejects.toThrow(/at least one frame/)
    })
  })
})

test.skipIf(working.length < 2)('all backends give the same pixels', async () => {
  const [first, second] = await Promise.all(
    working.map(async (backend) => {
      const video = await openVideo(join(folder, 'plain.mp4'), { backend })
      return (await readFrames(video, [0, 13, 39])).map(({ bitmap }) => bitmap.data)
    }),
  )
  expect(second).toEqual(first)
})
