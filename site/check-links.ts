/**
 * Checks every link, anchor and asset of the built site, and the relative links of the Markdown files outside docs/:
 *
 *     npx tsx site/check-links.ts
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { slug } from './.vitepress/slug.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SITE = join(ROOT, 'site/.vitepress/dist')
const BASE = process.env['DOCS_BASE'] ?? '/'
/** Other versions are built separately. */
const OTHER_VERSION = /^\/(\.\.\/|v\d)/
const EXTERNAL = /^([a-z][a-z\d+.-]*:|\/\/)/i

if (!existsSync(SITE)) throw new Error('The site is not built: run npm run docs:site.')
const pages = files(SITE, '.html').filter((file) => !relative(SITE, file).startsWith('demo/'))
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !/^(docs|test)\//.test(file))
const problems = [...pages.flatMap(pageProblems), ...documents.flatMap(documentProblems)]
for (const problem of problems) console.error(problem)
console.log(`${pages.length} pages and ${documents.length} Markdown files checked; broken links: ${problems.length}.`)
if (problems.length > 0) process.exitCode = 1

function pageProblems(file: string): string[] {
  const page = relative(SITE, file)
  const html = readFileSync(file, 'utf8').replaceAll(/<script\b[\s\S]*?<\/script>/g, '')
  return [...html.matchAll(/<(\w+)\b[^>]*?\s(href|src)="([^"]*)"/g)].flatMap(([, tag, attribute, raw]) => {
    const link = raw!.replaceAll('&amp;', '&')
    if (EXTERNAL.test(link)) {
      const isAsset = attribute === 'src' || tag === 'link'
      return isAsset && !link.startsWith('data:') ? [`${page}: loads ${link} from elsewhere`] : []
    }
    return siteTargetExists(file, link) ? [] : [`${page}: broken link ${link}`]
  })
}

function siteTargetExists(from: string, link: string): boolean {
  const [path = '', anchor = ''] = link.split('#')
  if (path.startsWith('/') && !path.startsWith(BASE)) return false
  const inSite = `/${path.slice(BASE.length)}`
  if (path.startsWith('/') && OTHER_VERSION.test(inSite)) return true
  const target = path === '' ? from : path.startsWith('/') ? join(SITE, inSite) : resolve(dirname(from), path)
  const found = [target, `${target}.html`, join(target, 'index.html')].find((file) => isFile(decodeURI(file)))
  if (found === undefined) return false
  // `#/runs/…` is a route of the viewer, not an anchor.
  if (anchor === '' || anchor.startsWith('/') || !found.endsWith('.html')) return true
  return idsOf(found).has(decodeURIComponent(anchor))
}

function documentProblems(document: string): string[] {
  const file = join(ROOT, document)
  const text = withoutFences(readFileSync(file, 'utf8')).replaceAll(/`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(<?([^)\s>]+)>?[^)]*\)|\b(?:src|href)="([^"]+)"/g)].flatMap(
    ([, inText, inHtml = '']) => {
      const link = inText ?? inHtml
      if (EXTERNAL.test(link)) return []
      const [path = '', anchor = ''] = link.split('#')
      const target = path === '' ? file : resolve(dirname(file), path)
      const isThere = existsSync(target) && (anchor === '' || slugsOf(target).has(anchor))
      return isThere ? [] : [`${document}: broken link ${link}`]
    },
  )
}

function idsOf(file: string): ReadonlySet<string> {
  return new Set([...readFileSync(file, 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!))
}

function slugsOf(file: string): ReadonlySet<string> {
  const headings = withoutFences(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm)
  return new Set([...headings].map(([, heading = '']) => slug(heading)))
}

function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^( *)(```+|~~~+)[\s\S]*?^ *\2/gm, '')
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

function files(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
}
