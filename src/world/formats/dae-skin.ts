import type { XmlElement } from '../../base/xml.ts'
import { readSource } from './dae-geometry.ts'
import type { DaeLibrary } from './dae-library.ts'
import { childrenOf, numbersIn, only, reference } from './dae-xml.ts'
import { IDENTITY, type Matrix, multiply, type SkinWeights } from './matrix.ts'

/** Joints that pull at one vertex; those beyond pull hardly. */
const WIDTH = 8

/** A skin at rest: what each joint does, and how hard it pulls at the vertices with these positions. */
export function daeSkin(
  skin: XmlElement,
  library: DaeLibrary,
  joints: ReadonlyMap<string, Matrix>,
  places: Uint32Array,
): { matrices: Matrix[]; weights: SkinWeights } | undefined {
  const inputOf = (element: XmlElement | undefined, semantic: string) =>
    childrenOf(element, 'input').find(({ attributes }) => attributes.get('semantic') === semantic)
  const described = only(skin, 'joints')
  const named = library.get(reference(inputOf(described, 'JOINT'), 'source'))
  const names = (only(named, 'Name_array') ?? only(named, 'IDREF_array'))?.text.trim().split(/\s+/) ?? []
  const inverse = library.get(reference(inputOf(described, 'INV_BIND_MATRIX'), 'source'))
  const binds = inverse && readSource(inverse, library).values
  const shape = matrixOf(numbersIn(only(skin, 'bind_shape_matrix')?.text.slice(0, 4096) ?? ''), 0) ?? IDENTITY
  const pulls = only(skin, 'vertex_weights')
  const jointAt = Number(inputOf(pulls, 'JOINT')?.attributes.get('offset') ?? 0)
  const weightAt = Number(inputOf(pulls, 'WEIGHT')?.attributes.get('offset') ?? 1)
  const weightSource = library.get(reference(inputOf(pulls, 'WEIGHT'), 'source'))
  if (names.length === 0 || !binds || !weightSource) return undefined
  const strengths = readSource(weightSource, library).values
  const matrices = names.map((name, at) => {
    const bind = matrixOf(binds, at * 16) ?? IDENTITY
    return multiply(multiply(joints.get(name) ?? IDENTITY, bind), shape)
  })

  const counts = numbersIn(only(pulls, 'vcount')?.text ?? '')
  const numbers = numbersIn(only(pulls, 'v')?.text ?? '')
  const starts: number[] = []
  let at = 0
  for (const count of counts) {
    starts.push(at)
    at += count * 2
  }
  const ids = new Uint32Array(places.length * WIDTH)
  const weights = new Float32Array(places.length * WIDTH)
  places.forEach((place, vertex) => {
    const start = starts[place] ?? 0
    for (let k = 0; k < Math.min(WIDTH, counts[place] ?? 0); k++) {
      ids[vertex * WIDTH + k] = numbers[start + k * 2 + jointAt] ?? 0
      weights[vertex * WIDTH + k] = strengths[numbers[start + k * 2 + weightAt] ?? -1] ?? 0
    }
  })
  return { matrices, weights: { joints: ids, weights, width: WIDTH } }
}

/** Sixteen numbers, row after row in the file. */
function matrixOf(values: readonly number[], at: number): Matrix | undefined {
  if (values.length < at + 16) return undefined
  return Array.from({ length: 16 }, (_, i) => values[at + (i % 4) * 4 + Math.floor(i / 4)]!)
}
