/** Copies what `tsc` leaves behind (prompt texts, price files, kernels, the texture transcoder) to `dist`. */
import { fileURLToPath } from 'node:url'
import { chmod, cp, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

const ASSETS = new Set(['.txt', '.json', '.yaml', '.wasm', '.html', '.css', '.svg', '.bash', '.zsh', '.fish'])
const root = fileURLToPath(new URL('..', import.meta.url))

await cp(join(root, 'src'), join(root, 'dist'), {
  recursive: true,
  filter: async (path) => (await stat(path)).isDirectory() || ASSETS.has(extname(path)),
})
// Of three, which is only needed to build the viewer, the decoder of Basis Universal textures is shipped.
for (const name of ['basis_transcoder.js', 'basis_transcoder.wasm'])
  await cp(join(root, 'node_modules/three/examples/jsm/libs/basis', name), join(root, 'dist/media', name))
// Completion must answer at once, and loading all suites takes seconds. The built code is loaded in half the time.
const built: typeof import('../src/cli/commands/completion.ts') = await import(
  new URL('../dist/cli/commands/completion.js', import.meta.url).href
)
await writeFile(join(root, 'dist/cli/commands/suite-facts.json'), JSON.stringify(await built.readSuiteFacts()))
await chmod(join(root, 'dist/cli/main.js'), 0o755)
