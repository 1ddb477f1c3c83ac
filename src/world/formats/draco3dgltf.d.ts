/** The part of draco3dgltf that is used; the package has no types of its own. */
declare module 'draco3dgltf' {
  interface Status {
    ok(): boolean
    error_msg(): string
  }
  interface Attribute {
    /** 0 for an attribute that is not there. */
    ptr: number
    num_components(): number
    normalized(): boolean
  }
  interface Mesh {
    num_points(): number
    num_faces(): number
  }
  interface DecoderBuffer {
    Init(bytes: Int8Array, length: number): void
  }
  interface Decoder {
    GetEncodedGeometryType(buffer: DecoderBuffer): number
    DecodeBufferToMesh(buffer: DecoderBuffer, mesh: Mesh): Status
    GetAttributeByUniqueId(mesh: Mesh, id: number): Attribute | undefined
    GetAttributeDataArrayForAllPoints(mesh: Mesh, attribute: Attribute, type: number, size: number, at: number): boolean
    GetTrianglesUInt32Array(mesh: Mesh, size: number, at: number): boolean
  }
  interface DecoderModule {
    Decoder: new () => Decoder
    DecoderBuffer: new () => DecoderBuffer
    Mesh: new () => Mesh
    TRIANGULAR_MESH: number
    DT_FLOAT32: number
    HEAPF32: Float32Array
    _malloc(size: number): number
    _free(at: number): void
    destroy(thing: Decoder | DecoderBuffer | Mesh): void
  }
  const draco3d: {
    createDecoderModule(options: object): Promise<DecoderModule>
    createEncoderModule(options: object): Promise<object>
  }
  export default draco3d
}
