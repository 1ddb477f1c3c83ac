/**
 * Runs commands of the built command line one after another in this process, because loading it takes longer than most
 * commands. A client connects, sends `{ args, cwd, env }` and receives output and the exit code as lines of JSON.
 */
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'

const [, , socketPath, main] = process.argv
const exit = process.exit.bind(process)
const write = { stdout: process.stdout.write.bind(process.stdout), stderr: process.stderr.write.bind(process.stderr) }
/** @type {Promise<unknown>} */
let last = Promise.resolve()
let count = 0
process.stdout.setMaxListeners(0)
process.setMaxListeners(0)

createServer((socket) => {
  let isOver = false
  socket.on('error', () => {})
  // The caller was killed because the command hangs: the next one needs a fresh process.
  socket.on('close', () => isOver || exit(1))
  createInterface({ input: socket })
    .on('error', () => {})
    .once('line', (line) => {
      const { args, cwd, env } = JSON.parse(line)
      const send = (/** @type {object} */ message) => socket.write(`${JSON.stringify(message)}\n`)
      last = last
        .then(() => runOne(args, cwd, env, send))
        .then((code) => {
          isOver = true
          return socket.end(`${JSON.stringify({ code })}\n`)
        })
    })
}).listen(socketPath)

/** @returns {Promise<number>} */
async function runOne(
  /** @type {string[]} */ args,
  /** @type {string} */ cwd,
  /** @type {Record<string, string>} */ env,
  /** @type {(message: object) => void} */ send,
) {
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.execPath, main, ...args]
  process.exitCode = undefined
  const listeners = new Map(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, process.listeners(signal)]))
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    process[name].write = (/** @type {unknown} */ text, /** @type {unknown[]} */ ...more) => {
      if (!isOver) send({ [name]: Buffer.isBuffer(text) ? text.toString('utf8') : String(text) })
      more.find((each) => typeof each === 'function')?.()
      return true
    }
  }
  let isOver = false
  /** @type {Promise<number>} */
  const exited = new Promise((resolve) => {
    process.exit = (code) => {
      resolve(Number(code ?? process.exitCode ?? 0))
      isOver = true
      throw new Error('The caller of process.exit does not expect to go on.')
    }
  })
  count += 1
  const ended = import(`${main}?command=${count}`).then(() => Number(process.exitCode ?? 0))
  try {
    return await Promise.race([ended, exited])
  } catch (error) {
    if (!isOver) send({ stderr: `${error instanceof Error ? error.stack : String(error)}\n` })
    return 1
  } finally {
    process.exit = exit
    for (const [name, original] of Object.entries(write)) process[name].write = original
    for (const [signal, before] of listeners) {
      process.removeAllListeners(signal)
      for (const listener of before) process.on(signal, listener)
    }
  }
}
