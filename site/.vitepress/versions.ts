import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface Version {
  /** `0.1` is served under `/v0.1/`. */
  name: string
  tag: string
}

/** Versions of site/versions.json whose tags have a site, newest first. */
export function olderVersions(): Version[] {
  const listed = JSON.parse(readFileSync(new URL('../versions.json', import.meta.url), 'utf8')) as Version[]
  return listed.filter(({ tag }) => hasSite(tag))
}

function hasSite(tag: string): boolean {
  try {
    execFileSync('git', ['rev-parse', '--verify', '--quiet', `${tag}:site/.vitepress/config.ts`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
