/** Runs networks with ONNX Runtime, where it is installed. */
import { basename } from 'node:path'
import { importPart, messageOf, UserError } from '../../../../suite.ts'
import { type Device, DEVICES } from '../../domain/devices.ts'

/** Optional, because it weighs 290 MB. */
const PACKAGE = 'onnxruntime-node'

/** The part of the library that is used. */
interface Runtime {
  env: { logLevel?: string }
  InferenceSession: { create(path: string, options: object): Promise<Session> }
  /** What this build computes with on this system; of some, the libraries are installed apart. */
  listSupportedBackends: () => readonly { name: string }[]
  Tensor: new (type: string, data: Float32Array | BigInt64Array | Int32Array, dims: readonly number[]) => RuntimeTensor
}
interface Session {
  inputNames: readonly string[]
  outputNames: readonly string[]
  inputMetadata?: readonly { name: string; type?: string; shape?: readonly (number | string)[] }[]
  release(): Promise<void>
  run(feeds: Record<string, RuntimeTensor>): Promise<Record<string, RuntimeTensor>>
}
interface RuntimeTensor {
  type: string
  dims: readonly number[]
  data: unknown
}

export interface Tensor {
  dims: readonly number[]
  data: Float32Array | BigInt64Array
}

export interface Network {
  /** Inputs by position; outputs by name, in the order of the network's own. */
  run(...inputs: readonly Tensor[]): Promise<Record<string, Tensor>>
  /** Whether it takes several pictures at once: the first size of its input is open. Default: no. */
  takesBatches?(): Promise<boolean>
}

interface OpenNetwork extends Network {
  release(): Promise<void>
}

const CUDA_HINT = `CUDA 12, cuDNN 9 and libraries that come apart from the npm package (Linux x64) are needed:
node node_modules/onnxruntime-node/script/install.js --onnxruntime-node-install=cuda12`

async function runtime(): Promise<Runtime> {
  const module = await importPart(PACKAGE)
  if (!isRuntime(module)) throw new UserError(`${PACKAGE} is not the version that was expected.`, { setup: true })
  // It would print, in color, what it also throws.
  module.env.logLevel = 'fatal'
  return module
}

function isRuntime(module: object): module is Runtime {
  return 'env' in module && 'InferenceSession' in module && 'Tensor' in module && 'listSupportedBackends' in module
}

/** Threads that spin while they wait take processor time from decoding and from other networks: a tenth of all, a quarter of MUSIQ's. */
const WITHOUT_SPINNING = { session: { intra_op: { allow_spinning: '0' } } }

export async function openNetwork(path: string, device: Device): Promise<OpenNetwork> {
  const { InferenceSession, Tensor: Make, listSupportedBackends } = await runtime()
  // ONNX Runtime silently skips a device that it does not know, and runs on the CPU.
  const devices = new Set(listSupportedBackends().map(({ name }) => name))
  if (!devices.has(device)) {
    const here = DEVICES.filter((each) => devices.has(each)).join(', ')
    throw new UserError(`ONNX Runtime cannot use ${device} on this system.`, { hint: `Devices: ${here}.`, setup: true })
  }
  let session: Session
  try {
    const executionProviders = device === 'cpu' ? ['cpu'] : [device, 'cpu']
    session = await InferenceSession.create(path, { logSeverityLevel: 3, executionProviders, extra: WITHOUT_SPINNING })
  } catch (cause) {
    if (device !== 'cpu' && /backend|provider/i.test(messageOf(cause))) {
      // Before the reason stands where in its source a check failed.
      const reason = messageOf(cause)
        .split('\n')[0]!
        .replace(/^.* was false\. /, '')
      throw new UserError(`ONNX Runtime cannot use ${device} here: ${reason}`, {
        hint: device === 'cuda' ? CUDA_HINT : 'Use another device, or cpu, which works everywhere.',
        setup: true,
        cause,
      })
    }
    throw new UserError(`${path} cannot be loaded as a network: ${messageOf(cause).split('\n')[0]}`, { cause })
  }
  return {
    takesBatches: () => Promise.resolve(typeof session.inputMetadata?.[0]?.shape?.[0] === 'string'),
    release: () => session.release(),
    async run(...inputs) {
      if (inputs.length < session.inputNames.length) {
        throw new Error(`${path} wants ${session.inputNames.length} inputs, not ${inputs.length}`)
      }
      const feeds = Object.fromEntries(
        session.inputNames.map((name, i) => {
          const { data, dims } = inputs[i]!
          const whole = data instanceof BigInt64Array
          const narrow = whole && session.inputMetadata?.find((each) => each.name === name)?.type === 'int32'
          const fitting = narrow ? Int32Array.from(data, Number) : data
          return [name, new Make(narrow ? 'int32' : whole ? 'int64' : 'float32', fitting, dims)]
        }),
      )
      const outputs = await session.run(feeds).catch((cause: unknown) => {
        const shapes = inputs.map(({ dims }) => dims.join(' × ')).join(' and ')
        throw new Error(`${basename(path)} does not take ${shapes}: ${messageOf(cause).split('\n')[0]}`, { cause })
      })
      return Object.fromEntries(
        session.outputNames.map((name) => {
          const { dims, data } = outputs[name]!
          if (!(data instanceof Float32Array)) throw new Error(`${path}: output ${name} is not of 32-bit floats`)
          return [name, { dims, data }]
        }),
      )
    },
  }
}

/** Longer than from one video to the next that needs it. */
const IDLE_MS = 60_000

/** Loaded when it is first run, and freed when it was not run for a while: together networks take gigabytes. */
export function lazyNetwork(path: string, device: Device, idleMs = IDLE_MS): Network & { load(): Promise<Network> } {
  let opened: Promise<OpenNetwork> | null = null
  let running = 0
  let timer: NodeJS.Timeout | undefined
  const free = (): void => {
    const unused = opened
    opened = null
    // One that could not be opened has nothing to free.
    void unused?.then((network) => network.release()).catch(() => {})
  }
  const using = async <T>(work: (network: OpenNetwork) => Promise<T>): Promise<T> => {
    clearTimeout(timer)
    running++
    try {
      return await work(await (opened ??= openNetwork(path, device)))
    } finally {
      if (--running === 0) timer = setTimeout(free, idleMs).unref()
    }
  }
  return {
    load: () => using((network) => Promise.resolve(network)),
    takesBatches: () => using((network) => network.takesBatches!()),
    run: (...inputs) => using((network) => network.run(...inputs)),
  }
}

/** The output of this name, or the first. */
export function outputOf(
  outputs: Readonly<Record<string, Tensor>>,
  ...names: readonly string[]
): Tensor & { data: Float32Array } {
  const tensor = names.map((name) => outputs[name]).find((each) => each !== undefined) ?? Object.values(outputs)[0]
  if (!tensor || !(tensor.data instanceof Float32Array)) throw new Error('the network gave no output')
  return { dims: tensor.dims, data: tensor.data }
}

/** The features of the pictures: a vector each, or the first token of a sequence, where a network gives all of them. */
export function featuresOf({ dims, data }: Tensor & { data: Float32Array }, pictures: number): Float32Array[] {
  const width = dims.at(-1) ?? data.length
  return Array.from({ length: pictures }, (_, i) => {
    const start = (i * data.length) / pictures
    return data.slice(start, start + width)
  })
}
