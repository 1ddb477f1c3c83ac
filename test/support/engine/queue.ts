/** Starts the installed Redis and PostgreSQL for tests, in a temporary folder, on loopback. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export interface TestServer {
  /** URL without the password. */
  url: string
  /** Its data folder. */
  folder: string
  port: number
  /** Kills it and starts it again with the data on disk. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 30_000

function findProgram(names: readonly string[], folders: readonly string[] = []): string | null {
  const all = [...(process.env['PATH'] ?? '').split(delimiter), ...folders]
  for (const name of names) {
    for (const folder of all) if (folder !== '' && existsSync(join(folder, name))) return join(folder, name)
  }
  return null
}

export const REDIS = findProgram(['redis-server', 'valkey-server'])

const DEBIAN = '/usr/lib/postgresql'
const postgresFolders = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []
export const POSTGRES = findProgram(['postgres'], postgresFolders)

/** Prints which servers are not installed, so their tests are skipped. */
export function reportMissingServers(): void {
  if (REDIS === null) console.log('redis-server is not installed: skipping the Redis queue (apt install redis-server).')
  if (POSTGRES === null)
    console.log('postgres is not installed: skipping the PostgreSQL queue (apt install postgresql).')
}

/** @param disk megabytes of a disk of its own; throws if mounting is not permitted */
function makeFolder(name: string, disk?: number): string {
  const folder = mkdtempSync(join(tmpdir(), name))
  if (disk !== undefined)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${disk}m`, 'sightline', folder], { stdio: 'ignore' })
  return folder
}

/** Fills the disk of a server to the last byte. Returns what makes room again. */
export function fillDisk({ folder }: TestServer): () => void {
  const filler = join(folder, 'filler')
  const file = openSync(filler, 'w')
  try {
    for (let size = 2 ** 20; size >= 1; size = Math.floor(size / 16)) {
      const bytes = Buffer.alloc(size)
      try {
        for (;;) writeSync(file, bytes)
      } catch {
        // Full; a smaller piece may still fit.
      }
    }
  } finally {
    closeSync(file)
  }
  return () => rmSync(filler)
}

export interface RedisSettings {
  host?: string
  password?: string
  /** When writes are synced to disk. Default: that of Redis. */
  syncs?: 'always' | 'everysec'
  /** Megabytes of a disk of its own. */
  disk?: number
}

export async function startRedis({
  host = '127.0.0.1',
  password = '',
  syncs = 'everysec',
  disk,
}: RedisSettings = {}): Promise<TestServer> {
  const folder = makeFolder('sightline-redis-', disk)
  const port = await freePort()
  const start = (): ChildProcess =>
    spawn(
      REDIS!,
      [
        '--port',
        String(port),
        '--bind',
        host,
        '--dir',
        folder,
        '--save',
        '',
        '--appendonly',
        'yes',
        '--appendfsync',
        syncs,
        '--protected-mode',
        'no',
        '--requirepass',
        password,
      ],
      { stdio: 'ignore' },
    )
  return served(`redis://${host}:${port}/0`, host, port, folder, start)
}

export async function startPostgres({ disk }: Pick<RedisSettings, 'disk'> = {}): Promise<TestServer> {
  const folder = makeFolder('sightline-postgres-', disk)
  const port = await freePort()
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? ownerOf('postgres', 'nobody') : {}
  if ('uid' in owner) await chown(folder, owner.uid, owner.gid)
  const initdb = join(POSTGRES!, '..', 'initdb')
  const real = existsSync(initdb) ? initdb : findProgram(['initdb'], postgresFolders)!
  execFileSync(real, ['-D', join(folder, 'data'), '-A', 'trust', '-U', 'postgres', '--no-sync'], {
    ...owner,
    stdio: 'ignore',
    cwd: folder,
  })
  const start = (): ChildProcess =>
    spawn(
      POSTGRES!,
      ['-D', join(folder, 'data'), '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'max_connections=200'],
      { ...owner, stdio: 'ignore', cwd: folder },
    )
  const server = await served(`postgres://postgres@127.0.0.1:${port}/postgres`, '127.0.0.1', port, folder, start)
  // It accepts connections before it has started.
  const until = Date.now() + START_TIMEOUT_MS
  while (
    Date.now() < until &&
    !(await administer(server.url).then(
      () => true,
      () => false,
    ))
  );
  return server
}

/** Runs statements on a server as its administrator. */
export async function administer(url: string, ...statements: readonly string[]): Promise<void> {
  if (url.startsWith('redis')) {
    const { Redis } = await import('ioredis')
    const redis = new Redis(url, { enableReadyCheck: false })
    try {
      for (const statement of statements) {
        const [command, ...args] = statement.split(' ')
        await redis.call(command!, ...args)
      }
    } finally {
      redis.disconnect()
    }
    return
  }
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  for (const statement of statements) {
    for (let isDone = false; !isDone;) {
      isDone = await client.query(statement).then(
        () => true,
        (error: unknown) => {
          if (!/deadlock/.test(String(error))) throw error
          return false
        },
      )
    }
  }
  await client.end()
}

/** All data on a server: keys of Redis, rows of PostgreSQL. */
export async function namesOn(url: string): Promise<string[]> {
  if (url.startsWith('redis')) {
    const { Redis } = await import('ioredis')
    const redis = new Redis(url)
    const names = await redis.keys('*')
    redis.disconnect()
    return names
  }
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  const { rows: tables } = await client.query<{ place: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS place FROM pg_tables WHERE schemaname LIKE 'sightline%'`,
  )
  const names: string[] = []
  for (const { place } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${place} t`)
    names.push(...rows.map(({ row }) => `${place} ${row}`))
  }
  await client.end()
  return names
}

async function served(
  url: string,
  host: string,
  port: number,
  folder: string,
  start: () => ChildProcess,
): Promise<TestServer> {
  let child = start()
  await untilOpen(host, port)
  const end = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode !== null || child.signalCode !== null) return
    // After SIGKILL, PostgreSQL would not restart immediately because of leftover shared memory.
    child.kill(url.startsWith('postgres') ? 'SIGQUIT' : 'SIGKILL')
    await gone
  }
  return {
    url,
    folder,
    port,
    async restart() {
      await end()
      child = start()
      await untilOpen(host, port)
    },
    async stop() {
      await end()
      spawnSync('umount', [folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function ownerOf(...names: readonly string[]): { uid: number; gid: number } | Record<string, never> {
  for (const name of names) {
    try {
      const id = (flag: string): number =>
        Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // No such user; try the next.
    }
  }
  return {}
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function untilOpen(host: string, port: number): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, host, () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    })
    if (isOpen) return
    if (Date.now() > until) throw new Error(`no answer from ${host}:${port}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
