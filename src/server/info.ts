/** Server version, store and available suites. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { SuiteFinder } from '../library/suites.ts'
import type { Info, SuiteInfo } from './api.ts'
import { hasData, isPlayable, LANGUAGES } from './play/playable.ts'

export class ServerInfo {
  readonly #finder: SuiteFinder
  readonly #storeDir: string
  readonly #version: string
  #suites: Promise<readonly SuiteInfo[]> | null = null

  constructor(finder: SuiteFinder, storeDir: string, version: string) {
    this.#finder = finder
    this.#storeDir = storeDir
    this.#version = version
  }

  async get(): Promise<Info> {
    // Loading all suites is slow, so it happens once.
    this.#suites ??= this.#allSuites()
    const [suites, writable] = await Promise.all([this.#suites, isWritable(this.#storeDir)])
    return {
      version: this.#version,
      store: basename(this.#storeDir),
      suites,
      canPlay: writable && suites.some(({ playable }) => playable),
    }
  }

  async #allSuites(): Promise<readonly SuiteInfo[]> {
    const names = await this.#finder.names()
    return Promise.all(
      names.map(async (name) => {
        const { suite, loadFrom } = await this.#finder.find(name)
        return {
          name,
          title: suite.title,
          // A suite of a file has its data beside it; the catalog may be without.
          playable: isPlayable(suite) && (loadFrom !== null || hasData(suite)),
          ...(LANGUAGES.has(name) ? { languages: LANGUAGES.get(name)! } : {}),
        }
      }),
    )
  }
}

/** Checks the parent folder when the store does not exist yet: the first run creates it. */
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
