import {
  ALL_FORMATS,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  Quality,
  VideoSample,
  VideoSampleSink,
  VideoSampleSource,
} from 'mediabunny'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import { addSound, encodeSound } from './aac.ts'
import type { Bitmap } from './image.ts'
import { clearCreationTimes } from './mp4-boxes.ts'
import { withStallTimeout } from './stall-timeout.ts'
import { checkFrame, checkSize, wantedFrames } from './video-rules.ts'
import {
  DEFAULT_KEY_FRAME_SECONDS,
  DEFAULT_QUANTIZER,
  type EncodedVideo,
  type EncodeOptions,
  timing,
  type Video,
  type VideoBackend,
  type VideoFrame,
  type VideoInfo,
} from './video.ts'
import { rgbToYuv, turnBitmap, type YuvKind, yuvToRgb } from './yuv.ts'

/** The codecs. Optional, because it weighs 170 MB; named in a variable so that builds work without it. */
const CODECS_PACKAGE: string = '@mediabunny/server'

let registered: Promise<string> | undefined

/** Loads the codecs and gives their version; throws with a sentence when they are not installed. */
function registerCodecs(): Promise<string> {
  registered ??= (async () => {
    const module: unknown = await import(CODECS_PACKAGE).catch((error: unknown) => {
      if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error
      throw new Error(`the optional package ${CODECS_PACKAGE} is not installed for this machine`, { cause: error })
    })
    if (typeof module !== 'object' || module === null || !('registerMediabunnyServer' in module)) {
      throw new Error(`${CODECS_PACKAGE} has no registerMediabunnyServer`)
    }
    const { registerMediabunnyServer } = module
    if (typeof registerMediabunnyServer !== 'function') throw new Error('registerMediabunnyServer is no function')
    // Graphics cards decode and encode with bits of their own; the software codecs are the same everywhere.
    registerMediabunnyServer({ hardwareContext: null })
    return `mediabunny ${packageVersion('mediabunny')}, ${CODECS_PACKAGE} ${packageVersion(CODECS_PACKAGE)}`
  })()
  return registered
}

/** Longer than any decoder needs from a key frame to the frame that is wanted, even on a busy machine. */
const PATIENCE_SECONDS = 120
/** A promise that nobody holds is told to the program a moment after it failed. */
const AFTERMATH_MS = 500

let decoding = 0

/**
 * A damaged frame fails twice in the library: once where frames are asked for, which is handled, and once when the
 * decoder is closed, in a promise that nobody holds and that would end the program. Only the latter is passed over, and
 * only while frames are decoded; all else stays fatal. Gives what ends it.
 */
function passOverAftermath(): () => void {
  if (decoding++ === 0) process.on('unhandledRejection', passOverDecoderErrors)
  return () => {
    const timer = setTimeout(() => {
      if (--decoding === 0) process.off('unhandledRejection', passOverDecoderErrors)
    }, AFTERMATH_MS)
    timer.unref()
  }
}

function passOverDecoderErrors(reason: unknown): void {
  if (reason instanceof Error && reason.name === 'FFmpegError') return
  throw reason
}

export async function mediabunnyBackend(): Promise<VideoBackend> {
  const version = await registerCodecs()
  return { name: 'mediabunny', version, open: (path) => open(path, version), encode: (f, o) => encode(f, o, version) }
}

async function open(path: string, version: string): Promise<Video> {
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) throw new UserError(`${path} has no picture track.`)
    const codec = await track.getCodec()
    if (!codec || !(await track.canDecode())) {
      throw new UserError(`${path}: its video codec (${codec ?? 'unknown'}) cannot be decoded.`)
    }
    const info = await readInfo(track, codec, path)
    if (info.frames === 0) throw new UserError(`${path} has no frames.`)
    return {
      info,
      decoder: version,
      frames: (indices) => frames(track, info, wantedFrames(indices, info, path), path),
      close: () => {
        input.dispose()
        return Promise.resolve()
      },
    }
  } catch (error) {
    input.dispose()
    if (error instanceof UserError) throw error
    throw new UserError(`${path} cannot be read as a video: ${messageOf(error)}`, { cause: error })
  }
}

async function readInfo(track: InputVideoTrack, codec: string, path: string): Promise<VideoInfo> {
  const times: number[] = []
  let end = 0
  const { size } = await stat(path)
  const packets = new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })
  for await (const packet of withStallTimeout(packets, PATIENCE_SECONDS, `The index of ${path} cannot be read.`)) {
    // A broken index may speak of any number; no frame is smaller than a byte.
    if (times.length > size)
      throw new UserError(`${path} is damaged: its index speaks of more frames than it has bytes.`)
    // What an edit list cuts off before the start is decoded but never shown.
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
): AsyncGenerator<VideoFrame, void, undefined> {
  const sink = new VideoSampleSink(track)
  const samples = sink.samplesAtTimestamps(indices.map((index) => info.times[index]!))
  const late = `${path}: the decoder gave no picture for ${PATIENCE_SECONDS} s.`
  const done = passOverAftermath()
  let at = 0
  try {
    for await (const sample of withStallTimeout(samples, PATIENCE_SECONDS, late)) {
      const index = indices[at++]!
      if (!sample) throw new Error('the decoder gave no picture')
      try {
        const bitmap = turnBitmap(await toRgb(sample), info.rotation)
        yield { index, time: info.times[index]!, bitmap }
      } finally {
        sample.close()
      }
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    const index = indices[Math.max(0, at - 1)] ?? 0
    throw new UserError(`${path}: frame ${index} cannot be decoded: ${messageOf(error)}`, { cause: error })
  } finally {
    done()
  }
}

async function toRgb(sample: VideoSample): Promise<Bitmap> {
  const { codedWidth: width, codedHeight: height } = sample
  if (sample.format === 'I420') {
    const bytes = new Uint8Array(sample.allocationSize())
    const [y, u, v] = await sample.copyTo(bytes)
    if (y && u && v) {
      const { matrix, fullRange } = sample.colorSpace
      const planes = {
        width,
        height,
        y: bytes.subarray(y.offset),
        u: bytes.subarray(u.offset),
        v: bytes.subarray(v.offset),
        yStride: y.stride,
        uvStride: u.stride,
      }
      return yuvToRgb(planes, { matrix: matrixOf(matrix), fullRange: fullRange === true })
    }
  }
  // Rarer layouts (10 bits, 4:2:2, 4:4:4) go through the codec library's converter. Its types lack the format.
  const options: { format: 'RGBA'; colorSpace: 'srgb'; layout?: undefined } = { format: 'RGBA', colorSpace: 'srgb' }
  const rgba = new Uint8Array(sample.allocationSize(options))
  await sample.copyTo(rgba, options)
  const data = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) data.set(rgba.subarray(i * 4, i * 4 + 3), i * 3)
  return { width, height, channels: 3, data }
}

function matrixOf(name: string | null): YuvKind['matrix'] {
  if (name === 'bt709') return 'bt709'
  return name === 'bt2020-ncl' ? 'bt2020' : 'bt601'
}

async function encode(
  source: Iterable<Bitmap> | AsyncIterable<Bitmap>,
  options: EncodeOptions,
  version: string,
): Promise<EncodedVideo> {
  checkSize(options)
  const { width, height, fps, quantizer = DEFAULT_QUANTIZER, keyFrameSeconds = DEFAULT_KEY_FRAME_SECONDS } = options
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const track = new VideoSampleSource({
    codec: 'avc',
    quality: new Quality({ quantizer }),
    keyFrameInterval: keyFrameSeconds,
    hardwareAcceleration: 'prefer-software',
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
    if (times.length === 0) throw new UserError('A film needs at least one frame.')
    await output.finalize()
  } catch (error) {
    await output.cancel().catch(() => {})
    throw error
  }
  if (!target.buffer) throw new Error('the encoder gave no bytes')
  const bytes = new Uint8Array(target.buffer)
  clearCreationTimes(bytes)
  const encoder = `${version}, libx264 qp=${quantizer} bt601${sound ? ', aac' : ''}`
  return { bytes, times: Float64Array.from(times), encoder }
}

function packageVersion(name: string): string {
  try {
    // Packages do not always export their package.json, so it is looked for beside their entry.
    let folder = dirname(createRequire(import.meta.url).resolve(name))
    for (;;) {
      try {
        const found: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
        if (
          typeof found === 'object' &&
          found !== null &&
          'version' in found &&
          'name' in found &&
          found.name === name
        ) {
          return String(found.version)
        }
      } catch {
        // Not here; one folder up.
      }
      const parent = dirname(folder)
      if (parent === folder) return '?'
      folder = parent
    }
  } catch {
    return '?'
  }
}
