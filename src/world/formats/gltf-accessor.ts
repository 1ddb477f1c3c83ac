import { brokenFile } from './broken.ts'
import type { GltfDocument } from './gltf-document.ts'
import type { GltfAccessor } from './gltf-schema.ts'

const WIDTHS: Readonly<Record<GltfAccessor['type'], number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
}
const COMPONENTS = {
  5120: { bytes: 1, largest: 127, read: (view: DataView, at: number) => view.getInt8(at) },
  5121: { bytes: 1, largest: 255, read: (view: DataView, at: number) => view.getUint8(at) },
  5122: { bytes: 2, largest: 32_767, read: (view: DataView, at: number) => view.getInt16(at, true) },
  5123: { bytes: 2, largest: 65_535, read: (view: DataView, at: number) => view.getUint16(at, true) },
  5125: { bytes: 4, largest: 4_294_967_295, read: (view: DataView, at: number) => view.getUint32(at, true) },
  5126: { bytes: 4, largest: 1, read: (view: DataView, at: number) => view.getFloat32(at, true) },
} as const

/** The values of an accessor, `width` to an item, whole-number types spread to 0…1 where the document says so. */
export function readAccessor(
  { gltf, buffers }: GltfDocument,
  at: number,
  file: string,
): { values: Float64Array; width: number; count: number } {
  const accessor = gltf.accessors[at]
  if (!accessor) throw brokenFile(file, `accessor ${at} is named but not there`)
  if (accessor.sparse !== undefined) throw brokenFile(file, `accessor ${at} is sparse, which Sightline does not read`)
  const { count, componentType, normalized, type } = accessor
  const width = WIDTHS[type]
  const { bytes, largest, read } = COMPONENTS[componentType]
  const itemBytes = bytes * width
  const viewInfo = accessor.bufferView === undefined ? undefined : gltf.bufferViews[accessor.bufferView]
  const buffer = viewInfo && buffers[viewInfo.buffer]
  if (!viewInfo || !buffer) throw brokenFile(file, `accessor ${at} has no data`)
  const stride = viewInfo.byteStride ?? itemBytes
  const start = viewInfo.byteOffset + accessor.byteOffset
  const end = count === 0 ? start : start + stride * (count - 1) + itemBytes
  if (stride < itemBytes || end > Math.min(viewInfo.byteOffset + viewInfo.byteLength, buffer.byteLength)) {
    throw brokenFile(file, `accessor ${at} reaches beyond its buffer (${count} items); the file is cut off or broken`)
  }
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  const scale = normalized ? 1 / largest : 1
  const values = new Float64Array(count * width)
  for (let item = 0; item < count; item++) {
    for (let k = 0; k < width; k++) values[item * width + k] = read(view, start + item * stride + k * bytes) * scale
  }
  return { values, width, count }
}
