const SHA256 = /^[0-9a-f]{64}$/

/** All media an event refers to, by hash, with the declared type if any. Any string that looks like a hash may be one. */
export function findMedia(event: unknown, found = new Map<string, string | null>()): Map<string, string | null> {
  if (typeof event === 'string') {
    if (SHA256.test(event) && !found.has(event)) found.set(event, null)
  } else if (Array.isArray(event)) {
    for (const item of event) findMedia(item, found)
  } else if (typeof event === 'object' && event !== null) {
    const { sha256, mediaType, type } = event as Record<string, unknown>
    const declaredType = typeof mediaType === 'string' ? mediaType : type
    if (typeof sha256 === 'string' && SHA256.test(sha256) && typeof declaredType === 'string')
      found.set(sha256, declaredType)
    for (const value of Object.values(event)) findMedia(value, found)
  }
  return found
}
