/** Number formats of episode pages; formats shared with reports are in ui/format.ts. */

export function formatTokens(count: number): string {
  return count < 10_000 ? count.toLocaleString('en') : `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`
}

export function formatBytes(count: number): string {
  if (count < 1000) return `${count} B`
  if (count < 1e6) return `${(count / 1000).toFixed(0)} kB`
  return `${(count / 1e6).toFixed(1)} MB`
}

/** Without trailing zeros, with a real minus sign. */
export function formatNumber(value: number, digits = 2): string {
  return value
    .toFixed(digits)
    .replace(/\.?0+$/, '')
    .replace('-', '−')
}
