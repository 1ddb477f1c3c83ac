/** The page of an exported folder: one classic script and one style sheet, because modules cannot load from disk. */
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Always build for production, even when tests set their own NODE_ENV.
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
    license: { fileName: 'licenses.md' },
    // One file by design, loaded from disk.
    chunkSizeWarningLimit: 4096,
    modulePreload: false,
    rolldownOptions: {
      // Only used to preload chunks, of which there are none.
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
