/** Copies what `tsc` leaves behind (prompt texts, price files, compiled kernels) from `src` to `dist`. */
import { fileURLToPath } from 'node:url'
import { chmod, cp, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'

const ASSETS = new Set(['.txt', '.json', '.wasm', '.html', '.css', '.svg'])
const root = fileURLToPath(new URL('..', import.meta.url))

await cp(join(root, 'src'), join(root, 'dist'), {
  recursive: true,
  filter: async (path) => (await stat(path)).isDirectory() || ASSETS.has(extname(path)),
})
await chmod(join(root, 'dist/cli/main.js'), 0o755)
