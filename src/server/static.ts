/** Serves the built viewer. Files are listed once at startup; nothing else is served. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { UserError } from '../base/errors.ts'
import { sha256 } from '../base/hash.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
}
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.wasm', '.json'])
/** Files with a content hash in their name never change. */
const HASHED = /-[\w-]{8,}\.\w+$/

const compress = promisify(brotliCompress)

/** Output folder of `npm run build`: next to this file when built, in `dist` when running from source. */
export function viewerFolder(name = 'viewer', entry = 'index.html'): string {
  for (const path of [`../${name}/`, `../../dist/${name}/`]) {
    const folder = fileURLToPath(new URL(path, import.meta.url))
    if (existsSync(join(folder, entry))) return folder
  }
  throw new UserError('The viewer is not built.', {
    hint: 'In a source checkout, run `npm run build` first.',
  })
}

interface StaticFile {
  type: string
  etag: string
  cache: string
  raw: Uint8Array<ArrayBuffer>
  brotli: Promise<Uint8Array<ArrayBuffer>> | null
}

export class StaticPages {
  readonly #files: ReadonlyMap<string, () => Promise<StaticFile>>

  private constructor(files: ReadonlyMap<string, () => Promise<StaticFile>>) {
    this.#files = files
  }

  static async open(folder: string): Promise<StaticPages> {
    const found = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = new Map<string, () => Promise<StaticFile>>()
    for (const entry of found) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || !Object.hasOwn(TYPES, extname(path))) continue
      let file: Promise<StaticFile> | null = null
      files.set(`/${relative(folder, path).split(sep).join('/')}`, () => (file ??= readStatic(path)))
    }
    return new StaticPages(files)
  }

  /** `null` when the file does not exist. */
  async respond(path: string, request: Request): Promise<Response | null> {
    const load = this.#files.get(path === '/' ? '/index.html' : path)
    if (!load) return null
    const { type, etag, cache, raw, brotli } = await load()
    const headers = new Headers({ 'Content-Type': type, ETag: etag, 'Cache-Control': cache, Vary: 'Accept-Encoding' })
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
    if (!brotli || !/\bbr\b/.test(request.headers.get('accept-encoding') ?? '')) return new Response(raw, { headers })
    headers.set('Content-Encoding', 'br')
    return new Response(await brotli, { headers })
  }
}

async function readStatic(path: string): Promise<StaticFile> {
  const raw = new Uint8Array(await readFile(path))
  const extension = extname(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  return {
    type: TYPES[extension]!,
    etag: `"${sha256(raw).slice(0, 32)}"`,
    cache: HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    raw,
    brotli: COMPRESSIBLE.has(extension) ? compress(raw, { params }).then((bytes) => new Uint8Array(bytes)) : null,
  }
}
