export {
  BACKEND_NAMES,
  type BackendName,
  type BackendState,
  mediaBackends,
  openVideo,
  readFrames,
  videoBackend,
} from './backends.ts'
export { canDrawChinese, DRAWING_FONT } from './fonts.ts'
export { openGif } from './gif.ts'
export {
  type Bitmap,
  type Bitmap16,
  decodeImage,
  decodeImage16,
  encodeJpeg,
  encodePng,
  encodePng16,
  encoderName,
  imageSize,
  resizeBitmap,
} from './image.ts'
export { encodeMask, type Mask, maskArea, maskBox, maskFromBase64, maskFromImage, pointInMask } from './mask.ts'
export { MEDIA_TYPES, type MediaRef, type MediaType, type Provenance } from './ref.ts'
export { loudness, normalizePeak, readWav, type Sound, timeStretch, trimSilence, writeWav } from './sound.ts'
export { sampledFrames } from './sampled-frames.ts'
export {
  SPEECH_BACKEND_NAMES,
  SPEECH_LANGUAGES,
  type SpeechBackendName,
  speechBackends,
  type SpeechBackendState,
  type SpeechLanguage,
  type Voice,
  voiceFor,
} from './speech.ts'
export { type SvgOptions, svgToBitmap, svgToPng } from './svg.ts'
export {
  type EncodedVideo,
  type EncodeOptions,
  frameAtTime,
  type Video,
  type VideoBackend,
  type VideoFrame,
  type VideoInfo,
} from './video.ts'
export { videoType } from './video-type.ts'
