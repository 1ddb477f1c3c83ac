/** Where datasets are on this machine. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The folder with a folder for each dataset: `SIGHTLINE_DATA`, or the user's data folder. */
export function datasetsFolder(): string {
  const own = process.env['SIGHTLINE_DATA']
  if (own) return resolve(own)
  const shared = process.env['XDG_DATA_HOME'] || process.env['LOCALAPPDATA'] || join(homedir(), '.local', 'share')
  return join(shared, 'sightline', 'data')
}

/** Where a dataset is if no folder is given. */
export function datasetFolder(name: string, given?: string): string {
  return given === undefined ? join(datasetsFolder(), name) : resolve(given)
}

/** The folder of a dataset, if it is there. */
export function fetchedFolder(name: string): string | null {
  const folder = datasetFolder(name)
  return existsSync(folder) ? folder : null
}
