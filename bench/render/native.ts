/** The kernel's sources as C++: the two languages differ in how things are written, hardly in what they mean. */
import { fileURLToPath } from 'node:url'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Frame, Region } from '../../src/world/render/kernel.ts'
import * as at from '../../src/world/render/layout.ts'
import type { Pass } from '../../src/world/render/passes.ts'
import type { PreparedScene } from '../../src/world/render/scene.ts'

const ROUNDS = 3

/** Compiles the kernel for this machine; null without a C++ compiler for x86-64. Throws if the compiler rejects it. */
export function buildNative(): string | null {
  if (process.arch !== 'x64') return null
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'kernel.h'), kernelAsCpp())
  const source = fileURLToPath(new URL('../peers/raster.cpp', import.meta.url))
  const program = join(folder, 'raster')
  // No fused multiply-add and no double constants: WebAssembly has neither here, and the pictures must be the same.
  const exact = ['-ffp-contract=off', '-fsingle-precision-constant']
  const flags = ['-O3', '-march=native', '-std=c++17', ...exact, `-I${folder}`, source, '-o', program]
  const { error, status, stderr } = spawnSync('c++', flags, { encoding: 'utf8' })
  if (error) return null
  if (status === 0) return program
  const first = stderr.split('\n').find((line) => /\berror\b/.test(line)) ?? stderr.trim()
  throw new Error(`The C++ compiler rejected the kernel's sources: ${first}`)
}

/** CPU milliseconds, one a picture, and a checksum of the last picture's colors; null if it does not run here. */
export function timesOfNative(program: string, scene: PreparedScene, passes: readonly Pass[]) {
  const frame = new Frame(scene)
  const workspace = new Region(scene)
  const { memory } = scene
  let address = 0
  const views = passes.map(({ view, wanted }) => {
    address = frame.write(view, wanted, workspace)
    return new Uint8Array(memory.buffer, address, at.VIEW_BYTES).slice()
  })
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
  try {
    const file = join(folder, 'frames.bin')
    const out = openSync(file, 'w')
    writeSync(out, Uint32Array.of(memory.buffer.byteLength, address, passes.length, ROUNDS))
    for (const part of [new Uint8Array(memory.buffer), ...views]) writeSync(out, part)
    closeSync(out)
    const run = spawnSync(program, [file], { encoding: 'utf8' })
    if (run.status !== 0) return null
    const lines = run.stdout.trim().split('\n').map(Number)
    return { times: lines.slice(0, -1), checksum: lines.at(-1)! }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As raster.cpp. */
export function checksum(bytes: Uint8Array): number {
  return bytes.reduce((sum, value) => (Math.imul(sum, 31) + value) >>> 0, 0)
}

const TYPES = 'u8|i16|u16|u32|u64|i32|i64|f32|f64|usize|bool|v128|void'
const SIMD = 'i8x16|i16x8|i32x4|f32x4'

export function kernelAsCpp(): string {
  const layout = readFileSync(new URL('../../src/world/render/layout.ts', import.meta.url), 'utf8')
  const constants = layout.replaceAll(/export const (\w+) = ([\d.]+\b|0x[\da-f]+)/g, (_, name: string, value: string) =>
    value.includes('.') ? `constexpr f32 ${name} = ${value};` : `constexpr i32 ${name} = ${value};`,
  )
  const parts = [...sourcesFor('index')].map(([file, source]) => `namespace kernel_${file} {\n${translate(source)}\n}`)
  return [`namespace at {\n${constants}\n}`, ...parts].join('\n')
}

/** A file of the kernel behind all that it uses: C++ reads from top to bottom. */
function sourcesFor(file: string, sources = new Map<string, string>()): Map<string, string> {
  if (sources.has(file)) return sources
  const source = readFileSync(new URL(`../../kernels/raster/${file}.ts`, import.meta.url), 'utf8')
  for (const [, used] of source.matchAll(/ from '\.\/(\w+)'/g)) sourcesFor(used!, sources)
  return sources.set(file, source)
}

function translate(source: string): string {
  const signatures: string[] = []
  let code = source
    .replaceAll(/import \* as at from [^\n]+/g, '')
    .replaceAll(/import \* as (\w+) from '\.\/(\w+)'/g, 'namespace $1 = kernel_$2;')
    .replaceAll(/import \{([^}]+)\} from '\.\/(\w+)'/g, (_, names: string, file: string) =>
      names
        .split(',')
        .filter((name) => name.trim() !== '')
        .map((name) => `using kernel_${file}::${name.trim()};`)
        .join(' '),
    )
    .replaceAll(/^\/\/ @ts-ignore: decorator\n@inline$/gm, '')
    .replaceAll(/^export /gm, '')
    .replaceAll('i32.MAX_VALUE', 'std::numeric_limits<i32>::max()')
    .replaceAll('f32.POSITIVE_INFINITY', 'std::numeric_limits<f32>::infinity()')
    .replaceAll(/v128\.shuffle<i64>\((\w+), \w+, 1, 0\)/g, 'v128::swap64($1)')
    .replaceAll(/v128\.(and|or|not)\(/g, 'v128::v_$1(')
    .replaceAll(new RegExp(`\\b(${SIMD}|v128|memory|frame|at)\\.(?=\\w)`, 'g'), '$1::')
    .replaceAll(new RegExp(`\\b(${SIMD})\\(`, 'g'), '$1::make(')
    .replaceAll(new RegExp(`(?<![\\w])<(${TYPES})>`, 'g'), '($1)')
    .replaceAll(/^function (\w+)\(([^)]*)\): (\w+) \{/gm, (_, name: string, list: string, result: string) => {
      const parameters = list
        .split(',')
        .filter((parameter) => parameter.trim() !== '')
        .map((parameter) => parameter.trim().replace(/(\w+): (\w+)/, '$2 $1'))
        .join(', ')
      signatures.push(`static ${result} ${name}(${parameters});`)
      return `static ${result} ${name}(${parameters}) {`
    })
    .replaceAll(/^(let|const) (\w+): (\w+) = /gm, (_, kind: string, name: string, type: string) =>
      kind === 'let' ? `static ${type} ${name} = ` : `static const ${type} ${name} = `,
    )
    .replaceAll(/^const (\w+) = /gm, 'static const auto $1 = ')
    .replaceAll(/\b(?:let|const) (\w+): (\w+) = /g, '$2 $1 = ')
    .replaceAll(/(?<!static )\b(?:let|const) (?=\w+ =)/g, 'auto ')
    .replaceAll(/(?<!static )\blet\b/g, 'auto')
  code = code.replaceAll(/\bv128\b(?!::)/g, 'v128_t').replaceAll(/,(\s*\))/g, '$1')
  return signatures.join('\n').replaceAll(/\bv128\b/g, 'v128_t') + withSemicolons(code)
}

/** A statement ends where a line ends that is not open: no bracket, operator or comma holds it to the next. */
function withSemicolons(code: string): string {
  const lines = code.split('\n')
  let depth = 0
  return lines
    .map((line, i) => {
      const words = line
        .replace(/\/\/.*$/, '')
        .replaceAll(/\/\*.*?\*\//g, '')
        .trimEnd()
      for (const letter of words) {
        if (letter === '(') depth++
        if (letter === ')') depth--
      }
      const next =
        lines
          .slice(i + 1)
          .find((other) => other.trim() !== '')
          ?.trim() ?? ''
      const open =
        depth > 0 ||
        words === '' ||
        (/([{},;=?:&|+\-*/]|\belse|\bdo)$/.test(words) && !/(\+\+|--)$/.test(words)) ||
        /^ *\*/.test(line)
      const held = /^[?:&|]/.test(next) || isBareCondition(words.trim())
      return open || held || words.trim().startsWith('/*') ? line : line.replace(words, () => `${words};`)
    })
    .join('\n')
}

/** `if (…)` or `for (…)` with its statement on the next line. */
function isBareCondition(line: string): boolean {
  if (!/^(\} else )?(else )?(if|for|while) \(/.test(line)) return false
  let depth = 0
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '(') depth++
    if (line[i] === ')' && --depth === 0) return i === line.length - 1
  }
  return true
}
