import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import { type Bitmap, PIXEL_LIMIT } from './image.ts'
import { clearCreationTimes } from './mp4-boxes.ts'
import { pcm16, readWav, type Sound } from './sound.ts'
import { withStallTimeout } from './stall-timeout.ts'
import { checkFrame, checkEncodeOptions, sortedFrameIndices } from './video-rules.ts'
import {
  DEFAULT_KEY_FRAME_SECONDS,
  DEFAULT_PRESET,
  DEFAULT_QUANTIZER,
  type EncodedVideo,
  type EncodeOptions,
  encoderText,
  type FrameOptions,
  MAX_SOUND_SECONDS,
  SOUND_BIT_RATE,
  timing,
  type Video,
  type VideoBackend,
  type VideoFrame,
  type VideoInfo,
} from './video.ts'
import { scaleToRgb } from './swscale.ts'
import { type Planes, rgbToYuv, rotateBitmap, type YuvFormat, yuvToRgb } from './yuv.ts'

/** System programs, found in PATH. */
/** Not in the group of this process: Ctrl-C in a terminal must not end it halfway. */
const ON_ITS_OWN = { detached: process.platform !== 'win32' }
const FFMPEG = 'ffmpeg'
const FFPROBE = 'ffprobe'
/** This version replaced -vsync with -fps_mode. */
const FPS_MODE_SINCE = 5.1
/** With more frames the select expression becomes too long, and the whole range is decoded instead. */
const SELECT_LIMIT = 300
/** Maximum length of a program's stderr in an error message. */
const ERROR_TEXT_LIMIT = 4000

/** Time to list the frames of a file of any size, and of every megabyte on top. */
const MIN_PROBE_SECONDS = 60
const PROBE_SECONDS_PER_MEGABYTE = 1
/** Samples per second of a decoded sound. */
const SPEECH_RATE = 16_000
/** A list of frames as ffprobe prints it, or a sound; four hours at 60 frames per second take less. */
const MAX_PROBE_BYTES = 100_000_000
/** Longer than any decoder needs from one requested frame to the next, even on a busy machine. */
const STALL_TIMEOUT_SECONDS = 120
/** The largest piece of memory that a program may ask for. */
const MAX_PIECE_BYTES = 1 << 30

/**
 * Containers of one file: playlists and the like would make ffmpeg open other files and addresses. Frames that are too
 * large are not decoded.
 */
const CONTAINED = words(
  `-max_alloc ${MAX_PIECE_BYTES} -max_pixels ${PIXEL_LIMIT} -protocol_whitelist file -format_whitelist mov,matroska,avi,gif,mpeg,mpegts,mpegvideo,ogg,flv,asf,h264,hevc,ivf,apng,webp_pipe`,
)

export async function ffmpegBackend(): Promise<VideoBackend> {
  const [versionText, encoders] = await Promise.all([
    outputOf(FFMPEG, ['-nostdin', '-version']),
    outputOf(FFMPEG, words('-nostdin -v error -encoders')),
    outputOf(FFPROBE, ['-version']),
  ])
  const [line] = versionText.toString('utf8').split('\n')
  if (!/\blibx264\b/.test(encoders.toString('utf8'))) throw new Error('ffmpeg has no libx264 encoder')
  const version = /version (\S+)/.exec(line ?? '')?.[1] ?? '?'
  const name = `ffmpeg ${version}`
  // Builds from git have versions such as N-12345 and support -fps_mode.
  const number = Number.parseFloat(/^n?(\d+\.\d+)/.exec(version)?.[1] ?? '99')
  const passthrough = number >= FPS_MODE_SINCE ? ['-fps_mode', 'passthrough'] : ['-vsync', '0']
  return {
    name: 'ffmpeg',
    version: name,
    open: (path) => open(path, name, passthrough),
    encode: (frames, options) => encode(frames, options, name),
  }
}

const probeSchema = z.object({
  streams: z
    .array(
      z.object({
        codec_name: z.string().default('unknown'),
        width: z.number().int().positive(),
        height: z.number().int().positive(),
        pix_fmt: z.string().default('unknown'),
        color_range: z.string().optional(),
        color_space: z.string().optional(),
        side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
      }),
    )
    .default([]),
  packets: z
    .array(
      z.object({
        pts_time: z.string().optional(),
        duration_time: z.string().optional(),
        flags: z.string().default(''),
      }),
    )
    .default([]),
})

const ENTRIES = [
  'stream=codec_name,width,height,pix_fmt,color_range,color_space',
  'stream_side_data=rotation',
  'packet=pts_time,duration_time,flags',
].join(':')

const framesSchema = z.object({
  streams: z.array(z.object({ avg_frame_rate: z.string(), r_frame_rate: z.string() })).default([]),
  frames: z.array(z.object({})).default([]),
})

async function open(path: string, version: string, passthrough: readonly string[]): Promise<Video> {
  const probe = await probed(path, ENTRIES, probeSchema)
  const stream = probe.streams[0]
  if (!stream) throw new UserError(`${path} has no video track.`)
  // D marks packets that an edit list discards: decoded but never displayed.
  const shown = probe.packets.filter(({ flags }) => !flags.includes('D'))
  const isTimed = shown.every(({ pts_time }) => pts_time !== undefined)
  const counted = isTimed ? null : await countedTimes(path)
  const times = counted?.times ?? shown.map(({ pts_time }) => Number(pts_time))
  let end = counted?.end ?? 0
  for (const [i, { duration_time }] of isTimed ? shown.entries() : []) {
    end = Math.max(end, times[i]! + Number(duration_time ?? 0))
  }
  if (times.length === 0) throw new UserError(`${path} has no frames.`)
  const rotation = clockwise(stream.side_data_list.find((side) => side.rotation !== undefined)?.rotation ?? 0)
  const sideways = rotation === 90 || rotation === 270
  const info: VideoInfo = {
    width: sideways ? stream.height : stream.width,
    height: sideways ? stream.width : stream.height,
    rotation,
    codec: CODEC_NAMES[stream.codec_name] ?? stream.codec_name,
    ...timing(Float64Array.from(times).sort(), end),
  }
  const stored = { width: stream.width, height: stream.height, ...pixelFormat(stream) }
  return {
    info,
    decoder: version,
    frames: (indices, options = {}) =>
      frames(path, info, stored, sortedFrameIndices(indices, info, path), passthrough, options),
    sound: () => sound(path),
    close: () => Promise.resolve(),
  }
}

async function probed<T>(path: string, entries: string, schema: z.ZodType<T>): Promise<T> {
  try {
    const shown = words(`-v error -select_streams v:0 -show_entries ${entries} -of json`)
    const args = [...shown, ...CONTAINED, '-i', fileArgument(path)]
    const seconds = MIN_PROBE_SECONDS + ((await stat(path)).size / 2 ** 20) * PROBE_SECONDS_PER_MEGABYTE
    return schema.parse(JSON.parse((await outputOf(FFPROBE, args, seconds)).toString('utf8')))
  } catch (error) {
    throw new UserError(`Cannot read ${path} as a video: ${messageOf(error)}`, { cause: error })
  }
}

/**
 * In an AVI with frames that depend on later ones, packets lack times, and some hold no frame: its frames are decoded to
 * count them, and follow each other at its rate.
 */
async function countedTimes(path: string): Promise<{ times: number[]; end: number }> {
  const entries = 'stream=avg_frame_rate,r_frame_rate:frame=pict_type'
  const { streams, frames: decoded } = await probed(path, entries, framesSchema)
  const rates = streams.flatMap(({ avg_frame_rate, r_frame_rate }) => [avg_frame_rate, r_frame_rate])
  const steps = rates.map((rate) => {
    const [over = 0, under = 1] = rate.split('/').map(Number)
    return under / over
  })
  const step = steps.find((each) => each > 0 && Number.isFinite(each))
  return step === undefined
    ? { times: [], end: 0 }
    : { times: decoded.map((_, i) => i * step), end: decoded.length * step }
}

/** One channel at a rate that speech recognizers use. */
async function sound(path: string): Promise<Sound | null> {
  const probe = words('-v error -select_streams a:0 -show_entries stream=index -of csv=p=0')
  const found = await outputOf(FFPROBE, [...probe, ...CONTAINED, '-i', fileArgument(path)])
  if (found.toString('utf8').trim() === '') return null
  const as = words(
    `-map 0:a:0 -vn -sn -dn -t ${MAX_SOUND_SECONDS} -ac 1 -ar ${SPEECH_RATE} -c:a pcm_s16le -f wav pipe:1`,
  )
  const args = [...words('-nostdin -v error'), ...CONTAINED, '-i', fileArgument(path), ...as]
  return readWav(await outputOf(FFMPEG, args))
}

/** Codec names as used by the mediabunny backend. */
const CODEC_NAMES: Readonly<Record<string, string>> = { h264: 'avc' }

/** ffprobe counts counterclockwise from −180 to 180. */
function clockwise(counterClockwise: number): 0 | 90 | 180 | 270 {
  const turns = ((Math.round(-counterClockwise / 90) % 4) + 4) % 4
  return ([0, 90, 180, 270] as const)[turns as 0 | 1 | 2 | 3]
}

interface StoredFormat {
  width: number
  height: number
  /** Pixel format requested from ffmpeg: the stored planes, or RGB for layouts that are not converted here. */
  format: 'yuv420p' | 'yuvj420p' | 'rgb24'
  kind: YuvFormat
  /** Options of the `scale` filter with which frames are converted as OpenCV does it. */
  opencv: string
}

function pixelFormat(stream: {
  pix_fmt: string
  height: number
  color_range?: string | undefined
  color_space?: string | undefined
}): Pick<StoredFormat, 'format' | 'kind' | 'opencv'> {
  // swscale interpolates the chroma of odd heights, which is not done here.
  const plain = (stream.pix_fmt === 'yuv420p' || stream.pix_fmt === 'yuvj420p') && stream.height % 2 === 0
  const format = plain ? (stream.pix_fmt as 'yuv420p' | 'yuvj420p') : 'rgb24'
  const space = stream.color_space ?? ''
  const matrix = space === 'bt709' ? 'bt709' : space === 'bt2020nc' ? 'bt2020' : 'bt601'
  const fullRangeFormat = stream.pix_fmt.startsWith('yuvj')
  return {
    format,
    kind: { matrix, fullRange: stream.color_range === 'pc' || fullRangeFormat },
    opencv: stream.pix_fmt.startsWith('yuv') ? `=in_color_matrix=bt601:in_range=${fullRangeFormat ? 'pc' : 'tv'}` : '',
  }
}

/** A picture of a frame that ffmpeg converts. */
interface Piece {
  of: 'bitmap' | 'opencv' | 'scaled'
  width: number
  height: number
  filter: string
}

/** Pictures of one frame as one picture, below each other: one decode serves all, through one pipe. */
function stacked(pieces: readonly Piece[]): string {
  const split = `split=${pieces.length}${pieces.map((_, i) => `[in${i}]`).join('')}`
  const chains = pieces.map(({ filter }, i) => `[in${i}]${filter}[out${i}]`)
  const places = pieces.map(
    (_, i) =>
      `0_${
        i === 0
          ? '0'
          : pieces
              .slice(0, i)
              .map((_each, k) => `h${k}`)
              .join('+')
      }`,
  )
  const outputs = pieces.map((_, i) => `[out${i}]`).join('')
  return [split, ...chains, `${outputs}xstack=inputs=${pieces.length}:layout=${places.join('|')}`].join(';')
}

/** Rows of a picture that is at least as wide. */
function cutOut(data: Uint8Array, stride: number, top: number, { width, height }: Piece): Bitmap {
  const rows = new Uint8Array(width * height * 3)
  for (let row = 0; row < height; row++) {
    const start = (top + row) * stride
    rows.set(data.subarray(start, start + width * 3), row * width * 3)
  }
  return { width, height, channels: 3, data: rows }
}

type Pictures = Pick<VideoFrame, 'bitmap' | 'opencv' | 'scaled'>

/** What ffmpeg is asked for, and what is made of the bytes of a frame. */
interface Conversion {
  filter: string
  bytes: number
  pictures(bytes: Uint8Array): Pictures
}

function fromPlanes({ width, height, format, kind }: StoredFormat, options: FrameOptions): Conversion {
  const chromaWidth = (width + 1) >> 1
  const uStart = width * height
  const vStart = uStart + chromaWidth * ((height + 1) >> 1)
  // OpenCV knows the range from the format alone.
  const opencv: YuvFormat = { matrix: 'bt601', fullRange: format === 'yuvj420p' }
  const differs = opencv.matrix !== kind.matrix || opencv.fullRange !== kind.fullRange
  return {
    filter: '',
    bytes: 2 * vStart - uStart,
    pictures: (bytes) => {
      const samples = { y: bytes, u: bytes.subarray(uStart), v: bytes.subarray(vStart) }
      const planes: Planes = { width, height, ...samples, yStride: width, uvStride: chromaWidth }
      return {
        bitmap: yuvToRgb(planes, kind),
        ...(options.opencv && differs && { opencv: yuvToRgb(planes, opencv) }),
        ...(options.scaled && { scaled: scaleToRgb(planes, kind, options.scaled) }),
      }
    },
  }
}

/** Layouts that are not converted here: by swscale, which is asked for RGB by decord, but for BGR by OpenCV, and rounds both in its own way. */
function fromStack({ width, height, opencv }: StoredFormat, options: FrameOptions): Conversion {
  const pieces: Piece[] = [{ of: 'bitmap', width, height, filter: 'format=rgb24' }]
  if (options.opencv) {
    pieces.push({ of: 'opencv', width, height, filter: `scale${opencv},format=bgr24,format=rgb24` })
  }
  if (options.scaled) {
    const { width: to, height: by } = options.scaled
    pieces.push({ of: 'scaled', ...options.scaled, filter: `scale=${to}:${by}:flags=bilinear,format=rgb24` })
  }
  const stride = Math.max(...pieces.map((each) => each.width)) * 3
  return {
    filter: pieces.length === 1 ? '' : `,${stacked(pieces)}`,
    bytes: stride * pieces.reduce((sum, each) => sum + each.height, 0),
    pictures: (bytes) => {
      let top = 0
      const cut = pieces.map((piece) => {
        top += piece.height
        return [piece.of, cutOut(bytes, stride, top - piece.height, piece)] as const
      })
      return { bitmap: cut[0]![1], ...Object.fromEntries(cut) }
    },
  }
}

async function* frames(
  path: string,
  info: VideoInfo,
  stored: StoredFormat,
  indices: readonly number[],
  passthrough: readonly string[],
  options: FrameOptions,
): AsyncGenerator<VideoFrame, void, undefined> {
  if (indices.length === 0) return
  const single = indices.length <= SELECT_LIMIT
  const given = single ? indices : Array.from({ length: indices.at(-1)! - indices[0]! + 1 }, (_, i) => indices[0]! + i)
  const select = single
    ? indices.map((index) => `eq(n\\,${index})`).join('+')
    : `between(n\\,${indices[0]}\\,${indices.at(-1)})`
  // decord scales what is stored, and turns nothing.
  const wantedPictures = { ...options, scaled: info.rotation === 0 ? options.scaled : undefined }
  const conversion = (stored.format === 'rgb24' ? fromStack : fromPlanes)(stored, wantedPictures)
  const args = [
    ...words('-nostdin -v error -noautorotate'),
    ...CONTAINED,
    '-i',
    fileArgument(path),
    ...words('-map 0:v:0 -an -sn -dn -vf'),
    `select=${select}${conversion.filter}`,
    ...passthrough,
    ...words(`-frames:v ${given.length} -f rawvideo -pix_fmt ${stored.format} pipe:1`),
  ]
  const wanted = new Set(indices)
  let at = 0
  for await (const bytes of chunksOf(FFMPEG, args, conversion.bytes, path)) {
    const index = given[at++]!
    if (!wanted.has(index)) continue
    const { bitmap, opencv, scaled } = conversion.pictures(bytes)
    yield {
      index,
      time: info.times[index]!,
      bitmap: rotateBitmap(bitmap, info.rotation),
      ...(opencv && { opencv: rotateBitmap(opencv, info.rotation) }),
      ...(scaled && { scaled }),
    }
  }
  if (at < given.length) {
    throw new UserError(`Cannot decode frame ${given[at]} of ${path}: the video is truncated or damaged.`)
  }
}

async function encode(
  source: Iterable<Bitmap> | AsyncIterable<Bitmap>,
  options: EncodeOptions,
  version: string,
): Promise<EncodedVideo> {
  checkEncodeOptions(options)
  const {
    width,
    height,
    fps,
    quantizer = DEFAULT_QUANTIZER,
    preset = DEFAULT_PRESET,
    keyFrameSeconds = DEFAULT_KEY_FRAME_SECONDS,
    sound,
  } = options
  const folder = await mkdtemp(join(tmpdir(), 'sightline-video-'))
  const file = join(folder, 'video.mp4')
  const soundFile = join(folder, 'sound.raw')
  const keyEvery = Math.max(1, Math.round(fps * keyFrameSeconds))
  const args = [
    ...words(`-v error -f rawvideo -pix_fmt yuv420p -s ${width}x${height} -r ${fps} -i pipe:0`),
    ...(sound ? [...words(`-f s16le -ar ${sound.sampleRate} -ac 1 -i`), fileArgument(soundFile)] : []),
    ...words(sound ? `-map 0:v:0 -map 1:a:0 -c:a aac -b:a ${SOUND_BIT_RATE} -flags:a +bitexact` : '-map 0:v:0'),
    // One thread: with more, the output depends on the number of cores.
    ...words(`-c:v libx264 -threads 1 -preset ${preset} -qp ${quantizer} -g ${keyEvery} -pix_fmt yuv420p`),
    ...(preset === 'ultrafast' ? words('-tune zerolatency') : []),
    ...words('-colorspace smpte170m -color_primaries smpte170m -color_trc smpte170m -color_range tv'),
    ...words('-movflags +faststart -fflags +bitexact -flags:v +bitexact -y'),
    fileArgument(file),
  ]
  try {
    if (sound) await writeFile(soundFile, pcm16(sound))
    const child = spawn(FFMPEG, args, { stdio: ['pipe', 'ignore', 'pipe'], signal: options.signal, ...ON_ITS_OWN })
    const ended = waitForExit(child)
    // Writing to a program that has exited fails too, but its stderr says why.
    let writeError: unknown
    child.stdin.on('error', (error) => (writeError ??= error))
    let count = 0
    try {
      for await (const bitmap of source) {
        checkFrame(bitmap, options, count++)
        if (writeError !== undefined) break
        if (!child.stdin.write(rgbToYuv(bitmap).slice())) {
          await Promise.race([new Promise((resolve) => child.stdin.once('drain', resolve)), ended.catch(() => {})])
        }
      }
      if (count === 0) throw new UserError('A video needs at least one frame.')
    } catch (error) {
      child.kill()
      await ended.catch(() => {})
      throw error
    }
    child.stdin.end()
    await ended
    const bytes = new Uint8Array(await readFile(file))
    clearCreationTimes(bytes)
    const times = Float64Array.from({ length: count }, (_, i) => i / fps)
    return { bytes, times, encoder: encoderText(version, options) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A path that ffmpeg never parses as a protocol or an option. */
function fileArgument(path: string): string {
  return `file:${path}`
}

function words(text: string): string[] {
  return text.split(' ')
}

async function outputOf(program: string, args: readonly string[], seconds = MIN_PROBE_SECONDS): Promise<Buffer> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...ON_ITS_OWN })
  let problem: string | undefined
  const stop = (why: string): void => {
    problem = why
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => stop(`${program} was not done after ${Math.round(seconds)} s`), seconds * 1000)
  const parts: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > MAX_PROBE_BYTES) stop('it has too many frames')
    else parts.push(part)
  })
  try {
    await waitForExit(child)
  } catch (error) {
    throw problem === undefined ? error : new Error(problem, { cause: error })
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(parts)
}

/** The output of a program in chunks of `size` bytes. Kills the program when the consumer stops. */
async function* chunksOf(program: string, args: readonly string[], size: number, path: string) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...ON_ITS_OWN })
  const ended = waitForExit(child)
  // Awaited at the end; until then a failure must not count as unhandled.
  ended.catch(() => {})
  const late = `The decoder returned no frame of ${path} for ${STALL_TIMEOUT_SECONDS} s.`
  let chunk = new Uint8Array(size)
  let filled = 0
  try {
    for await (const part of withStallTimeout(child.stdout as AsyncIterable<Buffer>, STALL_TIMEOUT_SECONDS, late)) {
      let at = 0
      while (at < part.length) {
        const take = Math.min(size - filled, part.length - at)
        chunk.set(part.subarray(at, at + take), filled)
        filled += take
        at += take
        if (filled < size) continue
        yield chunk
        chunk = new Uint8Array(size)
        filled = 0
      }
    }
    await ended.catch((error: unknown) => {
      throw new UserError(`Cannot decode ${path}: ${messageOf(error)}`, { cause: error })
    })
  } finally {
    // A program that does not answer does not hear a polite signal either.
    child.kill('SIGKILL')
  }
}

/** Resolves when a program exits successfully; otherwise throws with its stderr. */
function waitForExit(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stderr = ''
    child.stderr?.on('data', (part: Buffer) => {
      if (stderr.length < ERROR_TEXT_LIMIT) stderr += part.toString('utf8')
    })
    child.on('error', (error) =>
      reject(codeOf(error) === 'ENOENT' ? new Error(`${child.spawnfile} is not installed`) : error),
    )
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(stderr.trim() || `${child.spawnfile} exited with ${code ?? signal}`))
    })
  })
}
