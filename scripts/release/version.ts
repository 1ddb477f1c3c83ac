/** Version arithmetic: three numbers, as npm counts them. */
export const STEPS = ['patch', 'minor', 'major'] as const

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/

/** The version after `current`: one step up, or the given one, which must be newer. */
export function nextVersion(current: string, step: string): string {
  const [major, minor, patch] = parseVersion(current)
  if (step === 'major') return `${major + 1}.0.0`
  if (step === 'minor') return `${major}.${minor + 1}.0`
  if (step === 'patch') return `${major}.${minor}.${patch + 1}`
  if (!VERSION.test(step)) throw new Error(`"${step}" is not a version. Use patch, minor, major or X.Y.Z.`)
  if (compareVersions(step, current) <= 0) throw new Error(`${step} is not newer than ${current}.`)
  return step
}

/** Negative when `a` is older than `b`, 0 when they are equal. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)]
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2]
}

function parseVersion(version: string): [number, number, number] {
  const parts = VERSION.exec(version)
  if (!parts) throw new Error(`"${version}" is not a version such as 1.2.3.`)
  return [Number(parts[1]), Number(parts[2]), Number(parts[3])]
}
