/** Starts and stops the viewer's HTTP server. */
import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import { createAdaptorServer } from '@hono/node-server'
import { codeOf, UserError } from '../base/errors.ts'
import type { SuiteFinder } from '../library/suites.ts'
import { makeApp, type ViewerApp } from './app.ts'
import { urlHost, ALL_INTERFACES, isLoopback } from './http/guard.ts'
import type { PlayEnvironment } from './play/session.ts'
import { StaticPages, viewerFolder } from './static.ts'

export const DEFAULT_PORT = 7070
/** How many ports to try when none is given. */
const PORTS_TO_TRY = 50
const LOOPBACK = '127.0.0.1'
const LOOPBACK_IPV6 = '::1'
/** Grace period for responses in flight. */
const CLOSE_TIMEOUT_MS = 2000

export interface ServeOptions {
  /** The store and the environment for runs played by humans. */
  environment: PlayEnvironment
  finder: SuiteFinder
  version: string
  /** Default: loopback. */
  host?: string
  /** Default: 7070, or the next free port. */
  port?: number
  onFault: (error: unknown) => void
}

export interface ViewerServer {
  /** The link to open, with the token. */
  link: string
  /** Only this machine can reach it. */
  isLocal: boolean
  close(): Promise<void>
}

export async function serveViewer({
  environment,
  finder,
  version,
  host,
  port,
  onFault,
}: ServeOptions): Promise<ViewerServer> {
  const token = randomBytes(24).toString('base64url')
  const pages = await StaticPages.open(viewerFolder())
  const options = { store: environment.store, environment, finder, pages, version, token, onFault }
  const viewer = makeApp({ ...options, host: host ?? LOOPBACK })
  const served = await serveApp(() => viewer.app, { host, port })
  viewer.warmUp().catch(onFault)
  return {
    link: `${served.address}/?token=${token}`,
    isLocal: served.isLocal,
    async close() {
      await viewer.close()
      await served.close()
    },
  }
}

export interface ServedApp {
  /** `http://127.0.0.1:7070` */
  address: string
  /** Only this machine can reach it. */
  isLocal: boolean
  close(): Promise<void>
}

/** Serves an application at an address of this machine. @param make makes it, given the address it is bound to */
export async function serveApp(
  make: (host: string) => Pick<ViewerApp['app'], 'fetch'>,
  { host, port }: { host?: string | undefined; port?: number | undefined },
): Promise<ServedApp> {
  const bound = host ?? LOOPBACK
  const app = make(bound)
  const makeServer = (): Server => createAdaptorServer({ fetch: app.fetch }) as Server
  const server = makeServer()
  const servers = [server]
  const boundPort = await listen(server, bound, port)
  if (bound === LOOPBACK) {
    // Some browsers resolve localhost to IPv6. Without IPv6, IPv4 is enough.
    const second = makeServer()
    if (await tryListenOn(second, LOOPBACK_IPV6, boundPort)) servers.push(second)
  }
  const shown = urlHost(ALL_INTERFACES.has(bound) ? lanAddress() : bound)
  return {
    address: `http://${shown}:${boundPort}`,
    isLocal: isLoopback(bound),
    async close() {
      await Promise.all(servers.map(closeServer))
    },
  }
}

/** An address at which other machines can reach this one. */
function lanAddress(): string {
  const found = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return found.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? LOOPBACK
}

async function listen(server: Server, host: string, port: number | undefined): Promise<number> {
  const first = port ?? DEFAULT_PORT
  const last = port === undefined ? first + PORTS_TO_TRY : first
  for (let at = first; at <= last; at++) {
    try {
      await listenOn(server, host, at)
      const address = server.address()
      return typeof address === 'object' && address ? address.port : at
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EADDRINUSE' && at < last) continue
      throw listenError(code, host, at, port === undefined, error)
    }
  }
  return first
}

function listenError(
  code: string | undefined,
  host: string,
  port: number,
  automatic: boolean,
  cause: unknown,
): UserError {
  if (code === 'EADDRINUSE') {
    return new UserError(
      automatic
        ? `No free port between ${DEFAULT_PORT} and ${port} on ${host}.`
        : `Port ${port} is already in use on ${host}.`,
      { hint: 'Choose another with --port, or omit it to use the next free port.', cause },
    )
  }
  if (code === 'EACCES') {
    return new UserError(`Cannot use port ${port}: permission denied.`, { hint: 'Choose a port above 1023.', cause })
  }
  return new UserError(`Cannot listen on ${host}: not an address of this machine (${code ?? 'unknown'}).`, {
    hint: 'Omit --host for local access only, or use one of the machine’s addresses.',
    cause,
  })
}

function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function tryListenOn(server: Server, host: string, port: number): Promise<boolean> {
  return listenOn(server, host, port).then(
    () => true,
    () => false,
  )
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS)
    server.close(() => {
      clearTimeout(late)
      resolve()
    })
    server.closeIdleConnections()
  })
}
