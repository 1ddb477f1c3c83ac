import {
  AudioSample,
  AudioSampleSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  Mp4OutputFormat,
  Output,
  Quality,
} from 'mediabunny'
import { pcm16, type Sound } from './sound.ts'
import { SOUND_BIT_RATE } from './video.ts'

/** Samples of priming that an AAC encoder adds before the audio. */
const PRIMING_SAMPLES = 1024

type Metadata = Parameters<EncodedAudioPacketSource['add']>[1]

interface EncodedSound {
  packets: EncodedPacket[]
  metadata: Metadata
}

/**
 * Encodes audio before the video: encoders run asynchronously, and interleaving packets as they arrive would change
 * their order in the file from run to run.
 */
export async function encodeSound(sound: Sound): Promise<EncodedSound> {
  const { sampleRate } = sound
  const packets: EncodedPacket[] = []
  let metadata: Metadata
  const track = new AudioSampleSource({
    codec: 'aac',
    quality: new Quality({ bitrate: SOUND_BIT_RATE }),
    onEncodedPacket(packet, meta) {
      packets.push(packet)
      metadata ??= meta
    },
  })
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() })
  output.addAudioTrack(track)
  await output.start()
  const sample = new AudioSample({ data: pcm16(sound), format: 's16', numberOfChannels: 1, sampleRate, timestamp: 0 })
  await track.add(sample)
  sample.close()
  await output.finalize()
  // Priming goes before time 0, where an edit list hides it; otherwise all audio would be late.
  const lead = (packets[0]?.timestamp ?? 0) < 0 ? 0 : PRIMING_SAMPLES / sampleRate
  return { packets: packets.map((packet) => packet.clone({ timestamp: packet.timestamp - lead })), metadata }
}

export async function addSound(track: EncodedAudioPacketSource, { packets, metadata }: EncodedSound): Promise<void> {
  for (const packet of packets) await track.add(packet, metadata)
  track.close()
}
