import {
  AudioSampleSink,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  MPEG_TS,
  OGG,
  Output,
  QTFF,
  Quality,
  VideoSample,
  VideoSampleSink,
  VideoSampleSource,
  WEBM,
} from 'mediabunny'
import { stat } from 'node:fs/promises'
import { messageOf, UserError } from '../base/errors.ts'
import { importPart, installedVersion } from '../base/optional-parts.ts'
import { addSound, encodeSound } from './aac.ts'
import { type Bitmap, PIXEL_LIMIT } from './image.ts'
import { clearCreationTimes } from './mp4-boxes.ts'
import type { Sound } from './sound.ts'
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
  timing,
  type Video,
  type VideoBackend,
  type VideoFrame,
  type VideoInfo,
} from './video.ts'
import { openInThread } from './video-reader.ts'
import { scaleToRgb } from './swscale.ts'
import { rgbToYuv, rotateBitmap, type YuvFormat, yuvToRgb } from './yuv.ts'

/** The codecs: optional, because the package is 170 MB. */
const CODECS_PACKAGE = '@mediabunny/server'

let registered: Promise<string> | undefined

/** Loads the codecs and returns their version; throws a clear error if they are not installed. */
function registerCodecs(): Promise<string> {
  registered ??= (async () => {
    const module = await importPart(CODECS_PACKAGE)
    if (!('registerMediabunnyServer' in module)) throw new Error(`${CODECS_PACKAGE} has no registerMediabunnyServer`)
    const { registerMediabunnyServer } = module
    if (typeof registerMediabunnyServer !== 'function') throw new Error('registerMediabunnyServer is not a function')
    // Hardware codecs differ between GPUs; software codecs give the same bits everywhere.
    registerMediabunnyServer({ hardwareContext: null })
    return `mediabunny ${installedVersion('mediabunny')}, ${CODECS_PACKAGE} ${installedVersion(CODECS_PACKAGE)}`
  })()
  return registered
}

/** Unhandled rejections are reported slightly after the failure. */
const LATE_ERROR_MS = 500

let decoding = 0

/**
 * A damaged frame fails twice in the library: once in the request for it, which is handled, and once when the decoder is
 * closed, in an unhandled rejection that would end the process. Only the latter is ignored, and only while frames are
 * being decoded; everything else stays fatal. Returns a function that ends it.
 */
function ignoreLateDecoderErrors(): () => void {
  if (decoding++ === 0) process.on('unhandledRejection', ignoreDecoderError)
  return () => {
    const timer = setTimeout(() => {
      if (--decoding === 0) process.off('unhandledRejection', ignoreDecoderError)
    }, LATE_ERROR_MS)
    timer.unref()
  }
}

function ignoreDecoderError(reason: unknown): void {
  if (reason instanceof Error && reason.name === 'FFmpegError') return
  throw reason
}

/** Containers of one file. A playlist would make the reader open other files. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, OGG, MPEG_TS]

export async function mediabunnyBackend(): Promise<VideoBackend> {
  const version = await registerCodecs()
  return { name: 'mediabunny', version, open: openInThread, encode: (f, o) => encode(f, o, version) }
}

/** Reads of a file of any size, and bytes per read on top: no frame is smaller on average. */
const FREE_READS = 100_000
const BYTES_PER_READ = 64

/**
 * A file that can only be read so often until `renew` is called: the library's readers never come to an end in some
 * damaged files, and nothing else could stop them.
 */
function boundedSource(path: string, size: number): { source: FilePathSource; renew: () => void } {
  const source = new FilePathSource(path)
  const read: unknown = Reflect.get(source, '_read')
  if (typeof read !== 'function') throw new Error('this version of mediabunny reads files in another way')
  let left = 0
  const renew = (): void => void (left = FREE_READS + size / BYTES_PER_READ)
  renew()
  Reflect.set(source, '_read', (...range: unknown[]): unknown => {
    if (--left < 0) throw new UserError(`${path} is damaged: its index has no end.`, { hint: 'Download it again.' })
    return Reflect.apply(read, source, range)
  })
  return { source, renew }
}

/** Decoded by the library, but into a format that it cannot turn into RGB. */
const NO_PICTURES: ReadonlySet<string> = new Set(['prores'])

/** Opens a video in the calling thread, without a limit on time; see `openInThread`. */
export async function openVideoFile(path: string): Promise<Video> {
  const version = await registerCodecs()
  const { size } = await stat(path)
  const { source, renew } = boundedSource(path, size)
  const input = new Input({ source, formats: FORMATS })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) throw new UserError(`${path} has no video track.`)
    const codec = await track.getCodec()
    if (!codec || NO_PICTURES.has(codec) || !(await track.canDecode())) {
      throw new UserError(`Unsupported video codec in ${path}: ${codec ?? 'unknown'}.`)
    }
    const info = await readInfo(track, codec, path, size)
    if (info.frames === 0) throw new UserError(`${path} has no frames.`)
    return {
      info,
      decoder: version,
      frames: (indices, options = {}) => {
        renew()
        return frames(track, info, sortedFrameIndices(indices, info, path), path, options)
      },
      sound: () => {
        renew()
        return soundIn(input)
      },
      close: () => {
        input.dispose()
        return Promise.resolve()
      },
    }
  } catch (error) {
    input.dispose()
    if (error instanceof UserError) throw error
    throw new UserError(`Cannot read ${path} as a video: ${messageOf(error)}`, { cause: error })
  }
}

/** Samples of all channels, averaged, at their times: a track may start late and have gaps. */
async function soundIn(input: Input): Promise<Sound | null> {
  const track = await input.getPrimaryAudioTrack()
  if (!track || !(await track.canDecode())) return null
  const sampleRate = await track.getSampleRate()
  const seconds = Math.min(MAX_SOUND_SECONDS, Math.max(0, await track.computeDuration()))
  const samples = new Float32Array(Math.ceil(seconds * sampleRate))
  const done = ignoreLateDecoderErrors()
  try {
    for await (const sample of new AudioSampleSink(track).samples(0, seconds)) {
      try {
        const at = Math.round(sample.timestamp * sampleRate)
        const plane = new Float32Array(sample.numberOfFrames)
        for (let channel = 0; channel < sample.numberOfChannels; channel++) {
          sample.copyTo(plane, { format: 'f32-planar', planeIndex: channel })
          for (let i = Math.max(0, -at); i < plane.length && at + i < samples.length; i++)
            samples[at + i]! += plane[i]! / sample.numberOfChannels
        }
      } finally {
        sample.close()
      }
    }
  } finally {
    done()
  }
  return { sampleRate, samples }
}

async function readInfo(track: InputVideoTrack, codec: string, path: string, size: number): Promise<VideoInfo> {
  const times: number[] = []
  let end = 0
  const packets = new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })
  for await (const packet of packets) {
    // A damaged index may claim any number of frames, but each has at least one byte.
    if (times.length > size)
      throw new UserError(`${path} is damaged: its index lists more frames than the file has bytes.`)
    // Packets that an edit list discards at the start are decoded but never displayed.
    if (packet.timestamp < -1e-6) continue
    times.push(packet.timestamp)
    end = Math.max(end, packet.timestamp + packet.duration)
  }
  const rotation = await track.getRotation()
  const [width, height] = [await track.getCodedWidth(), await track.getCodedHeight()]
  const sideways = rotation === 90 || rotation === 270
  return {
    width: sideways ? height : width,
    height: sideways ? width : height,
    rotation,
    codec,
    ...timing(Float64Array.from(times).sort(), end),
  }
}

async function* frames(
  track: InputVideoTrack,
  info: VideoInfo,
  indices: readonly number[],
  path: string,
  options: FrameOptions,
): AsyncGenerator<VideoFrame, void, undefined> {
  const sink = new VideoSampleSink(track)
  const samples = sink.samplesAtTimestamps(indices.map((index) => info.times[index]!))
  const done = ignoreLateDecoderErrors()
  let at = 0
  try {
    for await (const sample of samples) {
      const index = indices[at++]!
      if (!sample) throw new Error('the decoder returned no frame')
      try {
        yield { index, time: info.times[index]!, ...(await toRgb(sample, info, options)) }
      } finally {
        sample.close()
      }
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    const index = indices[Math.max(0, at - 1)] ?? 0
    throw new UserError(`Cannot decode frame ${index} of ${path}: ${messageOf(error)}`, { cause: error })
  } finally {
    done()
  }
}

async function toRgb(
  sample: VideoSample,
  { rotation, codec }: VideoInfo,
  options: FrameOptions,
): Promise<Pick<VideoFrame, 'bitmap' | 'opencv' | 'scaled' | 'approximate'>> {
  const { codedWidth: width, codedHeight: height } = sample
  // The stream may say otherwise than the file's index.
  if (width * height > PIXEL_LIMIT) throw new Error(`it has ${width} × ${height} pixels`)
  // swscale interpolates the chroma of odd heights, which is left to it.
  if (sample.format === 'I420' && height % 2 === 0) {
    const bytes = new Uint8Array(sample.allocationSize())
    const [y, u, v] = await sample.copyTo(bytes)
    if (y && u && v) {
      const matrix = matrixOf(sample.colorSpace.matrix)
      const fullRange = sample.colorSpace.fullRange === true
      const planes = {
        width,
        height,
        y: bytes.subarray(y.offset),
        u: bytes.subarray(u.offset),
        v: bytes.subarray(v.offset),
        yStride: y.stride,
        uvStride: u.stride,
      }
      const converted = (as: YuvFormat) => rotateBitmap(yuvToRgb(planes, as), rotation)
      const opencv: YuvFormat = { matrix: 'bt601', fullRange: fullRange && !LIMITED_IN_OPENCV.has(codec) }
      const differs = matrix !== opencv.matrix || fullRange !== opencv.fullRange
      const scaled = rotation === 0 && options.scaled && scaleToRgb(planes, { matrix, fullRange }, options.scaled)
      return {
        bitmap: converted({ matrix, fullRange }),
        ...(options.opencv && differs && { opencv: converted(opencv) }),
        ...(scaled && { scaled }),
      }
    }
  }
  // Other layouts (10 bits, 4:2:2, 4:4:4) use the codec library's converter. Its types lack the format option.
  const copying: { format: 'RGBA'; colorSpace: 'srgb'; layout?: undefined } = { format: 'RGBA', colorSpace: 'srgb' }
  const rgba = new Uint8Array(sample.allocationSize(copying))
  await sample.copyTo(rgba, copying)
  const data = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) data.set(rgba.subarray(i * 4, i * 4 + 3), i * 3)
  return { bitmap: rotateBitmap({ width, height, channels: 3, data }, rotation), approximate: true }
}

/** Their decoders in ffmpeg have no pixel format of full range, which is all that OpenCV goes by. */
const LIMITED_IN_OPENCV: ReadonlySet<string> = new Set(['vp8', 'vp9', 'av1'])

function matrixOf(name: string | null): YuvFormat['matrix'] {
  if (name === 'bt709') return 'bt709'
  return name === 'bt2020-ncl' ? 'bt2020' : 'bt601'
}

async function encode(
  source: Iterable<Bitmap> | AsyncIterable<Bitmap>,
  options: EncodeOptions,
  version: string,
): Promise<EncodedVideo> {
  checkEncodeOptions(options)
  const { width, height, fps, quantizer = DEFAULT_QUANTIZER, keyFrameSeconds = DEFAULT_KEY_FRAME_SECONDS } = options
  const { preset = DEFAULT_PRESET } = options
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const track = new VideoSampleSource({
    codec: 'avc',
    quality: new Quality({ quantizer }),
    keyFrameInterval: keyFrameSeconds,
    hardwareAcceleration: 'prefer-software',
    // The library's only other setting of libx264: preset ultrafast, tune zerolatency.
    latencyMode: preset === 'ultrafast' ? 'realtime' : 'quality',
  })
  output.addVideoTrack(track, { frameRate: fps })
  const sound = options.sound && (await encodeSound(options.sound))
  const soundTrack = new EncodedAudioPacketSource('aac')
  if (sound) output.addAudioTrack(soundTrack)
  await output.start()
  const times: number[] = []
  try {
    if (sound) await addSound(soundTrack, sound)
    for await (const bitmap of source) {
      options.signal?.throwIfAborted()
      checkFrame(bitmap, options, times.length)
      const timestamp = times.length / fps
      // It copies the planes.
      const sample = new VideoSample(rgbToYuv(bitmap), {
        format: 'I420',
        codedWidth: width,
        codedHeight: height,
        timestamp,
        duration: 1 / fps,
        colorSpace: { matrix: 'smpte170m', primaries: 'smpte170m', transfer: 'smpte170m', fullRange: false },
      })
      times.push(timestamp)
      await track.add(sample)
      sample.close()
    }
    if (times.length === 0) throw new UserError('A video needs at least one frame.')
    await output.finalize()
  } catch (error) {
    await output.cancel().catch(() => {})
    throw error
  }
  if (!target.buffer) throw new Error('the encoder returned no bytes')
  const bytes = new Uint8Array(target.buffer)
  clearCreationTimes(bytes)
  return { bytes, times: Float64Array.from(times), encoder: encoderText(version, options) }
}
