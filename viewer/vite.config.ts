import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The address of `sightline view` while the viewer itself is worked on: `npm run viewer`. */
const SERVER = 'http://127.0.0.1:7070'

// A page that is built is the one that people get, also when tests build it under a NODE_ENV of their own.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production'

const path = (to: string): string => fileURLToPath(new URL(to, import.meta.url))

export default defineConfig({
  root: path('.'),
  // Addresses in the page are relative: it is served from any path, and opened from disk.
  base: './',
  plugins: [react(), tailwind()],
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
  },
})
