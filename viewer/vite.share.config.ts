/** The page of a shared folder: one plain script and one style sheet, because modules do not load from disk. */
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// A page that is built is the one that people get, also when tests build it under a NODE_ENV of their own.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production'

const path = (to: string): string => fileURLToPath(new URL(to, import.meta.url))

export default defineConfig({
  root: path('.'),
  base: './',
  plugins: [react(), tailwind()],
  build: {
    outDir: path('../dist/viewer-share'),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // It is one file by design, and loads from a disk.
    chunkSizeWarningLimit: 4096,
    modulePreload: false,
    rolldownOptions: {
      // What asks for it only wants to preload chunks, of which there are none.
      transform: { define: { 'import.meta': '{}' } },
      input: path('src/share.tsx'),
      output: {
        format: 'iife',
        codeSplitting: false,
        entryFileNames: 'viewer.js',
        assetFileNames: ({ names }) => (names.some((name) => name.endsWith('.css')) ? 'viewer.css' : '[name][extname]'),
      },
    },
  },
})
