/** A folder as a table: each file in it, and in the folders in it, is a row. */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { hashOf, type Row, type Table, UserError } from '../../suite.ts'

const COLUMNS = ['path', 'folder', 'name', 'ending'] as const
const MAX_FILES = 1_000_000
const MAX_DEPTH = 16

/** @param name of the folder in the data folder; paths of files begin with it */
export async function folderTable(path: string, name: string): Promise<Table> {
  if (!(await stat(path)).isDirectory())
    throw new UserError(`${name} is a file, and data.format is folder.`, {
      hint: 'Leave data.format out, or name a folder in data.files.',
    })
  const files: string[] = []
  await list(path, name === '.' ? '' : name.replace(/\/+$/, ''), 0)
  files.sort()
  return {
    columns: COLUMNS,
    count: files.length,
    rows: (from, to, columns) =>
      Promise.resolve(
        files.slice(from, to).map((file): Row => {
          const ending = extname(file)
          const row = {
            path: file,
            folder: file.includes('/') ? basename(dirname(file)) : '',
            name: basename(file, ending),
            ending: ending.slice(1).toLowerCase(),
          }
          return Object.fromEntries(columns.map((column) => [column, (row as Row)[column]]))
        }),
      ),
    hash: () => Promise.resolve(hashOf(files)),
  }

  /** Links are left out: they may lead anywhere. */
  async function list(at: string, inside: string, depth: number): Promise<void> {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      if (entry.name.startsWith('.')) continue
      const file = inside === '' ? entry.name : `${inside}/${entry.name}`
      if (entry.isDirectory() && depth < MAX_DEPTH) await list(join(at, entry.name), file, depth + 1)
      else if (entry.isFile()) files.push(file)
      if (files.length > MAX_FILES) throw new UserError(`${name} has more than ${MAX_FILES} files.`)
    }
  }
}
