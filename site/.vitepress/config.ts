import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfig, type UserConfig } from 'vitepress'
import { markShortCode, threadLinks } from './markdown.ts'
import { themedPictures } from './pictures.ts'
import { slug } from './slug.ts'
import { olderVersions } from './versions.ts'

/** Where the site is served: `/`, or `/v0.1/` for an older version. */
const base = process.env['DOCS_BASE'] ?? '/'
/** Sitemaps need absolute addresses. */
const hostname = process.env['DOCS_HOSTNAME']

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const older = olderVersions()

const isOlder = older.some(({ name }) => base.endsWith(`/v${name}/`))
/** VitePress prepends the base to every link; `..` leaves the folder of an older version again. */
const versionLink = (name: string, path: string): DefaultTheme.NavItemWithLink => ({
  text: name,
  link: `${isOlder ? '/..' : ''}${path}`,
  target: '_self',
})

const SUITES = [
  { text: 'VSI', link: '/suites/vsi/' },
  { text: 'Theory of Space', link: '/suites/space/' },
  { text: 'Articulate', link: '/suites/articulate/' },
  { text: 'VSIG', link: '/suites/vsig/' },
  { text: 'VBench', link: '/suites/vbench/' },
]

const REFERENCE = [
  { text: 'Command line', link: '/reference/cli' },
  { text: 'Config file', link: '/reference/config' },
  { text: 'Suite options', link: '/reference/suites' },
  { text: 'Published results', link: '/reference/published' },
  { text: 'Models', link: '/models' },
  { text: 'Use Sightline from code', link: '/library' },
]

const API = [
  { text: 'sightline', link: '/api/' },
  { text: 'sightline/suite', link: '/api/suite' },
  { text: 'sightline/world', link: '/api/world' },
  { text: 'sightline/testing', link: '/api/testing' },
]

/** Pages under "Guide" in the navigation bar: all without an entry of their own. */
const GUIDE_PAGES =
  '^/(getting-started|guides/|questions|add-a-suite|scale|viewer|statistics|environments|validity|papers|data|reports|store|architecture|media|world/|deviations|prompt-history)'

/** The pages are not below site/node_modules, where Vue is. Browsers get it by an alias of VitePress. */
const vueForPagesOutside: NonNullable<UserConfig['vite']>['plugins'] = [
  {
    name: 'vue-for-pages-outside',
    enforce: 'pre',
    resolveId: (id, _importer, { ssr }) => (ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : undefined),
  },
]

export default defineConfig({
  title: 'Sightline',
  description: 'Spatial benchmarks for vision-language and video models.',
  lang: 'en',
  base,
  srcDir: '../docs',
  cleanUrls: false,
  ...(hostname === undefined ? {} : { sitemap: { hostname } }),
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  markdown: {
    // `README.md` is not an address in Moldova.
    linkify: false,
    anchor: { slugify: slug },
    image: { lazyLoading: true },
    config(md) {
      const html = md.renderer.rules.html_block!
      md.renderer.rules.html_block = (...args) => themedPictures(html(...args))
      md.use(threadLinks).use(markShortCode)
    },
  },
  vite: {
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    plugins: vueForPagesOutside,
    // The pages of the API are long.
    build: { chunkSizeWarningLimit: 1024 },
  },
  themeConfig: {
    logo: '/icon.svg',
    outline: [2, 3],
    externalLinkIcon: true,
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // "seed" is not "seen": only long words can be mistyped. These functions run in the browser: no imports.
            fuzzy: (term: string) => (term.length > 5 ? 0.15 : false),
            prefix: (term: string) => term.length > 1,
            weights: { fuzzy: 0.1, prefix: 0.3 },
            boost: { title: 6, text: 2, titles: 2 },
            // Options and guides before signatures and details.
            boostDocument: (id: string) => {
              if (id.includes('/api/')) return 0.1
              if (/\/(?:deviations|prompt-history|changelog)\./.test(id)) return 0.3
              return id.includes('/reference/') ? 1.6 : 1
            },
          },
        },
      },
    },
    nav: [
      { text: 'Guide', link: '/getting-started', activeMatch: GUIDE_PAGES },
      { text: 'Suites', activeMatch: '^/suites/', items: SUITES },
      {
        text: 'Reference',
        activeMatch: '^/(reference/|api/|models|library)',
        items: [...REFERENCE, { text: 'API', items: API }],
      },
      { text: 'Demo', link: '/demo' },
      { text: 'FAQ', link: '/faq' },
      {
        text: `v${version}`,
        activeMatch: '^/changelog',
        items: [
          { text: 'Changelog', link: '/changelog' },
          ...(isOlder ? [versionLink('Latest', '/')] : []),
          ...older
            .filter(({ name }) => !base.endsWith(`/v${name}/`))
            .map(({ name }) => versionLink(`v${name}`, `/v${name}/`)),
        ],
      },
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          { text: 'Getting started', link: '/getting-started' },
          { text: 'Demo', link: '/demo' },
        ],
      },
      {
        text: 'Guides',
        items: [
          { text: 'Evaluate a vLLM model', link: '/guides/evaluate-a-vllm-model' },
          { text: 'Compare two checkpoints', link: '/guides/compare-two-checkpoints' },
          { text: 'Evaluate in CI', link: '/guides/ci' },
          { text: 'A benchmark in one file', link: '/questions' },
          { text: 'Add a benchmark in 30 lines', link: '/add-a-suite' },
          { text: 'Run on a cluster', link: '/scale' },
          { text: 'Train on built-in worlds', link: '/guides/train-on-built-in-worlds' },
          { text: 'Serve suites as environments', link: '/environments' },
          { text: 'Read the viewer', link: '/viewer' },
          { text: 'Photographs', link: '/photographs' },
        ],
      },
      { text: 'Suites', items: SUITES },
      {
        text: 'Concepts',
        items: [
          { text: 'What the numbers mean', link: '/statistics' },
          { text: 'Floors, ceilings and audits', link: '/validity' },
          { text: 'Papers, experiment by experiment', link: '/papers' },
          { text: 'Published datasets', link: '/data' },
          { text: 'Reports', link: '/reports' },
          { text: 'Store', link: '/store' },
          { text: 'Architecture', link: '/architecture' },
          { text: 'Images, video and speech', link: '/media' },
          { text: 'Built-in rooms and objects', link: '/world/rooms' },
          { text: 'Renderer', link: '/world/renderer' },
          { text: 'Meshes, scans and walking', link: '/world/formats' },
          { text: 'Tried mesh files', link: '/world/tried-files' },
        ],
      },
      { text: 'Reference', items: [...REFERENCE, { text: 'API', collapsed: true, items: API }] },
      {
        text: 'Project',
        items: [
          { text: 'Deviations from published code', link: '/deviations' },
          { text: 'Prompt history', link: '/prompt-history' },
          { text: 'FAQ', link: '/faq' },
          { text: 'Changelog', link: '/changelog' },
        ],
      },
    ],
  },
})
