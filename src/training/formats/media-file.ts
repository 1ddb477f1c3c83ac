import type { MediaRef } from '../../media/ref.ts'

/** `a1b2….jpg` */
export function mediaFile({ sha256, type }: MediaRef): string {
  const extension = { 'image/jpeg': 'jpg', 'image/svg+xml': 'svg', 'audio/mpeg': 'mp3' }[type as string]
  return `${sha256.slice(0, 32)}.${extension ?? type.slice(type.indexOf('/') + 1)}`
}

export const isVideo = ({ type }: MediaRef): boolean => type.startsWith('video/')
export const isImage = ({ type }: MediaRef): boolean => type.startsWith('image/')
