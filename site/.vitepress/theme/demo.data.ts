import { readFile } from 'node:fs/promises'

/** Exported runs by name, with the route of the episode to open: written by scripts/docs-demo-run.ts. */
export type DemoRoutes = Readonly<Record<string, string>>

declare const data: DemoRoutes
export { data }

export default {
  watch: ['../../public/demo/routes.json'],
  async load(): Promise<DemoRoutes> {
    const file = new URL('../../public/demo/routes.json', import.meta.url)
    // A site built without the runs has pages without them.
    return JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as DemoRoutes
  },
}
