import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

it('NOTICE names every package that is bundled in the viewer', async () => {
  const bundled = new Set<string>()
  const collect: Plugin = {
    name: 'bundled-packages',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        const files = chunk.type === 'chunk' ? chunk.moduleIds : chunk.originalFileNames
        for (const file of files) {
          const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]
          if (name !== undefined) bundled.add(name)
        }
      }
    },
  }
  await build({
    configFile: `${ROOT}viewer/vite.config.ts`,
    logLevel: 'error',
    plugins: [collect],
    build: { write: false, minify: false },
  })
  expect(bundled.size).toBeGreaterThan(20)
  const notice = await readFile(`${ROOT}NOTICE`, 'utf8')
  const isNamed = (name: string): boolean =>
    new RegExp(`(?:^|[\\s,])${name}[.,:\\s]`, 'm').test(notice) || name.startsWith('@radix-ui/')
  expect([...bundled].filter((name) => !isNamed(name))).toEqual([])
})
