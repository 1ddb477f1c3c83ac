/** What this server has. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { findSuite, suiteNames } from '../suites/index.ts'
import type { Info, SuiteInfo } from './api.ts'
import { LANGUAGES, PLAYABLE } from './play/sessions.ts'

let suites: Promise<readonly SuiteInfo[]> | null = null

/** Loading every suite takes a moment, so it is done once. */
function allSuites(): Promise<readonly SuiteInfo[]> {
  suites ??= Promise.all(
    suiteNames().map(async (name) => ({
      name,
      title: (await findSuite(name)).title,
      playable: PLAYABLE.includes(name),
      ...(LANGUAGES.has(name) ? { languages: LANGUAGES.get(name)! } : {}),
    })),
  )
  return suites
}

export async function infoOf(storeDir: string, version: string): Promise<Info> {
  const [known, writable] = await Promise.all([allSuites(), isWritable(storeDir)])
  return {
    version,
    store: basename(storeDir),
    suites: known,
    canPlay: writable && known.some(({ playable }) => playable),
  }
}

/** Also when it is not there yet: it is made with the first run. */
async function isWritable(dir: string): Promise<boolean> {
  for (const path of [dir, dirname(dir)]) {
    const found = await access(path, constants.F_OK).then(
      () => true,
      () => false,
    )
    if (!found) continue
    return access(path, constants.W_OK).then(
      () => true,
      () => false,
    )
  }
  return false
}
