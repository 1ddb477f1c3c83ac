import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite'

/** The address of `sightline view` while the viewer itself is worked on: `npm run viewer`. */
const SERVER = 'http://127.0.0.1:7070'

// A page that is built is the one that people get, also when tests build it under a NODE_ENV of their own.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production'

const path = (to: string): string => fileURLToPath(new URL(to, import.meta.url))

/**
 * The first script is small and asks for data before it asks for the rest. The rest is named in the page, so that the
 * browser loads it at the same time and not after it.
 */
function loadedAtOnce(module: string): Plugin {
  return {
    name: 'loaded-at-once',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((each): each is Rolldown.OutputChunk => each.type === 'chunk')
        const first = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))
        const needed = new Set<string>()
        const add = (name: string): void => {
          if (needed.has(name)) return
          needed.add(name)
          for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) add(next)
        }
        if (first) add(first.fileName)
        const scripts = [...needed].filter((name) => !html.includes(name))
        // Text that is drawn in another typeface first is laid out and drawn twice.
        const fonts = Object.keys(bundle).filter((name) => name.endsWith('.woff2'))
        return [
          ...scripts.map((name) => link({ rel: 'modulepreload', href: `./${name}` })),
          ...fonts.map((name) => link({ rel: 'preload', as: 'font', type: 'font/woff2', href: `./${name}` })),
        ]
      },
    },
  }
}

function link(attrs: Readonly<Record<string, string>>): HtmlTagDescriptor {
  return { tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' }
}

/** What `src/main.ts` needs must not wait for the rest. */
const FIRST =
  /viewer\/src\/(app\/(routes|page-scripts)|data\/(addresses|early))\.ts$|vite\/preload-helper|rolldown\/runtime/

function isForEveryPage(id: string): boolean {
  if (/node_modules/.test(id)) return !/node_modules\/(uplot|three|@mediabunny|zod)\//.test(id)
  return /viewer\/src\/(app|data|ui)\/[\w/-]+\.tsx?$/.test(id) && !FIRST.test(id) && !/(chart|histogram)\.tsx$/.test(id)
}

export default defineConfig({
  root: path('.'),
  // Addresses in the page are relative: it is served from any path, and opened from disk.
  base: './',
  plugins: [react(), tailwind(), loadedAtOnce('src/mount.tsx')],
  server: { proxy: { '/api': SERVER } },
  build: {
    outDir: path('../dist/viewer'),
    emptyOutDir: true,
    target: 'es2023',
    // The page allows no inline script and no data addresses for scripts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The 3D library is one chunk, loaded where something is shown in 3D; `npm run bench -- viewer` watches the first one.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        // What every page needs is one file: a browser loads six at a time, and each costs a way there and back.
        codeSplitting: {
          groups: [
            { name: 'first', test: FIRST, priority: 1 },
            { name: 'base', test: isForEveryPage },
          ],
        },
      },
    },
  },
})
