/** The Hugging Face Hub, through its own client. */
import type * as HubClient from '@huggingface/hub'
import { messageOf, UserError } from '../base/errors.ts'
import { importPart } from '../base/optional-parts.ts'
import { addressOf, type Dataset, type HubRepository } from './dataset.ts'
import type { RemoteFile } from './transfer.ts'

/** Files of one repository; the largest datasets of the field have a tenth of it. */
const MAX_FILES = 1_000_000

export interface HubOptions {
  /** Default: the public hub. */
  url: string
  token: string | undefined
  signal: AbortSignal
}

/** The hub and token of the environment, under the names that other tools use. */
export function hubFromEnvironment(environment: NodeJS.ProcessEnv = process.env): Omit<HubOptions, 'signal'> {
  const url = environment['HF_ENDPOINT'] || 'https://huggingface.co'
  if (!URL.canParse(url)) throw new UserError(`HF_ENDPOINT is not a URL: ${url}.`)
  return { url: url.replace(/\/+$/, ''), token: environment['HF_TOKEN'] || environment['HUGGING_FACE_HUB_TOKEN'] }
}

export class Hub {
  readonly #client: typeof HubClient
  readonly #dataset: Dataset
  readonly #from: HubRepository
  readonly #options: HubOptions

  private constructor(client: typeof HubClient, dataset: Dataset, from: HubRepository, options: HubOptions) {
    this.#client = client
    this.#dataset = dataset
    this.#from = from
    this.#options = options
  }

  static async open(dataset: Dataset, from: HubRepository, options: HubOptions): Promise<Hub> {
    return new Hub((await importPart('@huggingface/hub')) as typeof HubClient, dataset, from, options)
  }

  /** The commit of the wanted revision, and the license on its page. */
  async state(): Promise<{ commit: string; license: string | null }> {
    const { hub, type = 'dataset', revision = 'main' } = this.#from
    const request = { name: hub, revision, ...this.#access(this.#options.signal) }
    const fields = ['sha' as const, 'tags' as const]
    try {
      const { sha, tags } =
        type === 'model'
          ? await this.#client.modelInfo({ ...request, additionalFields: fields })
          : await this.#client.datasetInfo({ ...request, additionalFields: fields })
      const license = tags?.find((tag) => tag.startsWith('license:'))?.slice('license:'.length) ?? null
      if (/^[0-9a-f]{40}$/.test(sha)) return { commit: sha, license }
    } catch (error) {
      throw this.#explained(error)
    }
    throw new UserError(`${this.#options.url} does not say which commit ${revision} of ${hub} is.`)
  }

  /** All files at a commit. */
  async files(commit: string): Promise<RemoteFile[]> {
    const files: RemoteFile[] = []
    try {
      const listing = this.#client.listFiles({
        repo: this.#repository(),
        recursive: true,
        revision: commit,
        ...this.#access(this.#options.signal),
      })
      for await (const { type, path, size, oid, lfs } of listing) {
        if (type !== 'file') continue
        if (files.length === MAX_FILES) throw new UserError(`${this.#from.hub} has more than ${MAX_FILES} files.`)
        if (typeof path !== 'string') throw new UserError(`${this.#options.url} lists a file without a name.`)
        const hash = lfs === undefined ? `git:${oid}` : `sha256:${lfs.oid}`
        if (!/^(git:[0-9a-f]{40}|sha256:[0-9a-f]{64})$/.test(hash) || !Number.isSafeInteger(size) || size < 0)
          throw new UserError(`${this.#options.url} lists ${this.#from.hub} without sizes and checksums.`)
        files.push({ path, bytes: size, hash })
      }
    } catch (error) {
      throw this.#explained(error)
    }
    return files
  }

  /** The bytes of a file from an offset on. */
  async read(commit: string, { path, bytes }: RemoteFile, from: number, signal: AbortSignal) {
    const blob = await this.#client.downloadFile({
      repo: this.#repository(),
      // The client puts it into the URL as it is.
      path: path.split('/').map(encodeURIComponent).join('/'),
      revision: commit,
      // Plain ranges of bytes, which also work through mirrors.
      xet: false,
      ...this.#access(signal),
    })
    if (blob === null) throw new UserError(`${path} is listed by ${this.#options.url}, but it is not there.`)
    if (blob.size !== bytes) throw new Error(`the hub states ${blob.size} bytes instead of ${bytes}`)
    return (from === 0 ? blob : blob.slice(from)).stream()
  }

  /** Whether a failed download may work the next time. */
  isTemporary = (error: unknown): boolean => {
    if (isWithoutTag(error)) return false
    const status = statusOf(error)
    return status === null || status === 408 || status === 429 || status >= 500
  }

  /** What went wrong, in words that help. */
  explain = (error: unknown): unknown => this.#explained(error)

  #repository(): { type: 'dataset' | 'model'; name: string } {
    return { type: this.#from.type ?? 'dataset', name: this.#from.hub }
  }

  /** The token goes to the hub alone: files come from other hosts, which sign their URLs. */
  #access(signal: AbortSignal) {
    const { url: hubUrl, token } = this.#options
    const { origin } = new URL(hubUrl)
    const bounded: typeof fetch = (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const headers = new Headers(init?.headers)
      if (url.origin !== origin) headers.delete('authorization')
      return fetch(url, { ...init, headers, signal })
    }
    return { hubUrl, fetch: bounded, ...(token !== undefined && { accessToken: token }) }
  }

  #explained(error: unknown): unknown {
    if (error instanceof UserError || this.#options.signal.aborted) return error
    const { hub, revision } = this.#from
    const { url, token } = this.#options
    const status = statusOf(error)
    if (status === 401 || status === 403) {
      const page = addressOf(this.#dataset)
      return new UserError(
        token === undefined
          ? `${hub} is not open to everyone (${status}): it asks you to accept its terms, is private, or does not exist.`
          : `${hub} is not open to the account of HF_TOKEN (${status}).`,
        {
          hint: `Accept its terms at ${page}, create a token with read access at https://huggingface.co/settings/tokens, and set it as HF_TOKEN.`,
          cause: error,
        },
      )
    }
    if (status === 404)
      return new UserError(`${url} has no ${hub}${revision === undefined ? '' : ` at revision ${revision}`}.`, {
        ...(revision !== undefined && { hint: '--revision main fetches the newest.' }),
        cause: error,
      })
    if (isWithoutTag(error))
      return new UserError(
        `${url} does not say which version of a file it sends (no ETag), so it cannot be a mirror.`,
        {
          hint: 'Set HF_ENDPOINT to another mirror, or download the files on another machine.',
          cause: error,
        },
      )
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return new UserError(`${url} cannot be used for ${hub}: ${messageOf(reason)}.`, {
      hint: 'Check the connection, or set HF_ENDPOINT to a mirror. You can also download the files on another machine.',
      cause: error,
    })
  }
}

/** The client needs the tag, and does not get one by asking again. */
function isWithoutTag(error: unknown): boolean {
  return error instanceof Error && /\betag\b/i.test(error.message)
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('statusCode' in error)) return null
  return typeof error.statusCode === 'number' ? error.statusCode : null
}
