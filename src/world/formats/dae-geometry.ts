import type { XmlElement } from '../../base/xml.ts'
import { brokenFile } from './broken.ts'
import type { DaeLibrary } from './dae-library.ts'
import { childrenOf, numbersIn, only, reference } from './dae-xml.ts'
import { nearestSrgb } from '../render/srgb.ts'

/** Triangles of one material, in the geometry's own axes. */
export interface DaeGeometry {
  /** What the geometry calls its material. */
  symbol: string
  positions: Float32Array
  indices: Uint32Array
  normals: Float32Array | undefined
  uvs: Float32Array | undefined
  colors: Uint8Array | undefined
  /** The position's number of each vertex, which skins count by. */
  places: Uint32Array
}

const PRIMITIVES: ReadonlySet<string> = new Set(['triangles', 'polylist', 'polygons', 'tristrips', 'trifans'])

/** Numbers of a `source`, `stride` to an item. */
interface Source {
  values: number[]
  stride: number
  offset: number
  count: number
}

interface Input {
  semantic: string
  offset: number
  set: number
  source: Source
}

export function daeGeometry(geometry: XmlElement, library: DaeLibrary, file: string, notes: string[]): DaeGeometry[] {
  const mesh = only(geometry, 'mesh') ?? only(only(geometry, 'convex_mesh'), 'mesh')
  if (!mesh) return []
  const sources = new Map<string, Source>()
  const sourceOf = (id: string): Source | undefined => {
    let source = sources.get(id)
    if (!source) {
      const element = library.get(id)
      if (element?.name !== 'source') return undefined
      source = readSource(element, library)
      sources.set(id, source)
    }
    return source
  }
  return mesh.children
    .filter(({ name }) => PRIMITIVES.has(name))
    .flatMap((primitive) => {
      const inputs = readInputs(primitive, library, sourceOf)
      const read = readPrimitive(primitive, inputs, file)
      if (!read) notes.push(`line ${primitive.line}: <${primitive.name}> has no positions and is left out`)
      return read && read.indices.length > 0 ? [read] : []
    })
}

export function readSource(element: XmlElement, library: DaeLibrary): Source {
  const accessor = only(only(element, 'technique_common'), 'accessor')
  const array = only(element, 'float_array') ?? library.get(reference(accessor, 'source')) ?? only(element, 'int_array')
  const values = numbersIn(array?.text ?? '')
  const stride = Math.max(1, Number(accessor?.attributes.get('stride') ?? childrenOf(accessor, 'param').length) || 1)
  const offset = Math.max(0, Number(accessor?.attributes.get('offset') ?? 0) || 0)
  return { values, stride, offset, count: Math.floor((values.length - offset) / stride) }
}

/** What the numbers of a primitive stand for. The input VERTEX stands for all that <vertices> lists. */
function readInputs(
  primitive: XmlElement,
  library: DaeLibrary,
  sourceOf: (id: string) => Source | undefined,
): { inputs: Input[]; stride: number } {
  const inputs: Input[] = []
  let stride = 1
  for (const element of childrenOf(primitive, 'input')) {
    const offset = Number(element.attributes.get('offset') ?? 0)
    const set = Number(element.attributes.get('set') ?? 0)
    if (!Number.isInteger(offset) || offset < 0 || offset > 64) continue
    stride = Math.max(stride, offset + 1)
    const semantic = element.attributes.get('semantic') ?? ''
    const id = reference(element, 'source')
    const listed = semantic === 'VERTEX' ? childrenOf(library.get(id), 'input') : [element]
    for (const input of listed) {
      const source = sourceOf(reference(input, 'source'))
      if (source) inputs.push({ semantic: input.attributes.get('semantic') ?? '', offset, set, source })
    }
  }
  return { inputs, stride }
}

function readPrimitive(
  primitive: XmlElement,
  { inputs, stride }: ReturnType<typeof readInputs>,
  file: string,
): DaeGeometry | undefined {
  const find = (semantic: string) =>
    inputs.filter((input) => input.semantic === semantic).sort((a, b) => a.set - b.set)[0]
  const position = find('POSITION')
  if (!position) return undefined
  const normal = find('NORMAL')
  const uv = find('TEXCOORD') ?? find('UV')
  const color = find('COLOR')
  const { numbers, corners } = triangleCorners(primitive, stride)

  const vertices = new Map<string, number>()
  const first: number[] = []
  const indices = new Uint32Array(corners.length)
  const used = [position, normal, uv, color].filter((input) => input !== undefined)
  corners.forEach((corner, at) => {
    const key = used.map(({ offset }) => numbers[corner + offset]).join(' ')
    let vertex = vertices.get(key)
    if (vertex === undefined) {
      vertices.set(key, (vertex = first.length))
      first.push(corner)
    }
    indices[at] = vertex
  })
  const places = Uint32Array.from(first, (corner) => {
    const place = numbers[corner + position.offset]!
    if (!(Number.isInteger(place) && place >= 0 && place < position.source.count)) {
      throw brokenFile(
        file,
        `line ${primitive.line}: <${primitive.name}> names vertex ${place}, but there are ${position.source.count}`,
      )
    }
    return place
  })
  /** The numbers of an input for each vertex; zeros where it names something that is not there. */
  const gathered = ({ source, offset }: Input, width: number): Float32Array => {
    const values = new Float32Array(first.length * width)
    first.forEach((corner, vertex) => {
      const from = source.offset + numbers[corner + offset]! * source.stride
      for (let k = 0; k < width; k++) {
        const value = k < source.stride ? source.values[from + k] : undefined
        values[vertex * width + k] = value ?? 0
      }
    })
    return values
  }
  const uvs = uv && gathered(uv, 2)
  // COLLADA counts v from the lower edge of the picture, the mesh from the upper.
  if (uvs) for (let i = 1; i < uvs.length; i += 2) uvs[i] = 1 - uvs[i]!
  return {
    symbol: primitive.attributes.get('material') ?? '',
    positions: gathered(position, 3),
    indices,
    normals: normal && gathered(normal, 3).map((value) => (Number.isFinite(value) ? value : 0)),
    uvs,
    colors: color && Uint8Array.from(gathered(color, 3), (value) => nearestSrgb(value)),
    places,
  }
}

/** Where the numbers of each triangle's corners begin. Polygons are cut into fans. */
function triangleCorners(primitive: XmlElement, stride: number): { numbers: number[]; corners: number[] } {
  const corners: number[] = []
  const numbers: number[] = []
  const fan = (start: number, count: number) => {
    for (let k = 2; k < count; k++) corners.push(start, start + (k - 1) * stride, start + k * stride)
  }
  const lists = childrenOf(primitive, 'p')
  // A polygon with holes is drawn without them.
  for (const holed of childrenOf(primitive, 'ph')) lists.push(...childrenOf(holed, 'p'))
  for (const list of lists) {
    const start = numbers.length
    for (const value of numbersIn(list.text)) numbers.push(value)
    const count = Math.floor((numbers.length - start) / stride)
    if (primitive.name === 'triangles') {
      for (let k = 0; k + 2 < count; k += 3)
        corners.push(start + k * stride, start + (k + 1) * stride, start + (k + 2) * stride)
    } else if (primitive.name === 'tristrips') {
      for (let k = 2; k < count; k++)
        corners.push(start + (k - 2) * stride, start + (k - 1) * stride, start + k * stride)
    } else if (primitive.name === 'polylist') {
      let at = start
      for (const sides of numbersIn(only(primitive, 'vcount')?.text ?? '')) {
        if (!(sides >= 0) || at + sides * stride > numbers.length) break
        fan(at, sides)
        at += sides * stride
      }
    } else fan(start, count)
  }
  return { numbers, corners }
}
