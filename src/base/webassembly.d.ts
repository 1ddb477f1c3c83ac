/** What the project uses of WebAssembly. Node has it; TypeScript declares it only together with the browser's DOM. */
declare namespace WebAssembly {
  interface Module {}
  const Module: new (bytes: Uint8Array) => Module

  interface Memory {
    readonly buffer: SharedArrayBuffer
    /** Adds pages of 64 KiB; gives the number there were before. */
    grow(pages: number): number
  }
  const Memory: new (size: { initial: number; maximum: number; shared: true }) => Memory

  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>
  }
  /** Kernels work in a memory that they are given; programs bring their own and call what they are given. */
  type Imports = { env: { memory: Memory } } | { wasi_snapshot_preview1: Readonly<Record<string, unknown>> }
  const Instance: new (module: Module, imports: Imports) => Instance
}
