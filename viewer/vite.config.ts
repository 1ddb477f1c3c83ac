import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite'

/** `sightline view` serves the API during viewer development: `TOKEN=… npm run viewer`, with the token of its link. */
const SERVER = { target: 'http://127.0.0.1:7070', headers: { authorization: `Bearer ${process.env['TOKEN']}` } }

// Always build for production, even when tests set their own NODE_ENV.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production'

const path = (to: string): string => fileURLToPath(new URL(to, import.meta.url))

/**
 * The initial script is small and requests data before the other scripts. Preload links let the browser load those in
 * parallel.
 */
function preloadImports(module: string): Plugin {
  return {
    name: 'preload-imports',
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
        // Without a preload, text is laid out twice: with the fallback font first.
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

/** Modules of `src/main.ts`, kept in their own chunk to load first. */
const FIRST =
  /viewer\/src\/(app\/(routes|page-scripts)|data\/(api-urls|prefetch))\.ts$|vite\/preload-helper|rolldown\/runtime/

/** Packages that only some pages need: charts with d3 and what it uses, 3D, video. */
const ON_DEMAND =
  /node_modules\/(@observablehq|d3(-[\w-]+)?|internmap|isoformat|interval-tree-1d|binary-search-bounds|delaunator|robust-predicates|three|@mediabunny|zod)\//

function isForEveryPage(id: string): boolean {
  if (/node_modules/.test(id)) return !ON_DEMAND.test(id)
  return /viewer\/src\/(app|data|ui)\/[\w/-]+\.tsx?$/.test(id) && !FIRST.test(id) && !id.endsWith('draw-figure.ts')
}

export default defineConfig({
  root: path('.'),
  // Relative URLs, to be served from any path or opened from disk.
  base: './',
  plugins: [react(), tailwind(), preloadImports('src/mount.tsx')],
  server: { proxy: { '/api': SERVER } },
  build: {
    outDir: path('../dist/viewer'),
    emptyOutDir: true,
    target: 'es2023',
    // The page's policy allows no inline scripts and no data: URLs for scripts.
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
    assetsInlineLimit: 0,
    // three.js is one chunk, loaded on demand; `npm run bench -- viewer` tracks the size of the initial script.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        // One chunk for code that every page needs: browsers load six files at a time, each with a round trip.
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
