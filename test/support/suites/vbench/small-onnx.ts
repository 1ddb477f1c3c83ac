/** Just enough of the ONNX format to write small networks, for tests. */

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
const field = (number: number, body: readonly number[]) => [...varint(number * 8 + 2), ...varint(body.length), ...body]
const whole = (number: number, value: number) => [...varint(number * 8), ...varint(value)]
const text = (number: number, value: string) => field(number, [...Buffer.from(value)])
const FLOAT = 1
export const INT64 = 7

export interface Value {
  name: string
  dims: readonly (number | string)[]
  type?: number
}
export interface Node {
  op: string
  from: readonly string[]
  to: string
  attributes?: Readonly<Record<string, number | readonly number[]>>
}

export function constant(name: string, dims: readonly number[], values: Float32Array | BigInt64Array): number[] {
  const raw = [...new Uint8Array(values.buffer, values.byteOffset, values.byteLength)]
  const type = values instanceof Float32Array ? FLOAT : INT64
  return [...dims.flatMap((dim) => whole(1, dim)), ...whole(2, type), ...text(8, name), ...field(9, raw)]
}

function valueInfo({ name, dims, type = FLOAT }: Value): number[] {
  const shape = dims.flatMap((dim) => field(1, typeof dim === 'number' ? whole(1, dim) : text(2, dim)))
  return [...text(1, name), ...field(2, field(1, [...whole(1, type), ...field(2, shape)]))]
}

export function onnx(inputs: Value[], outputs: Value[], nodes: Node[], constants: number[][] = []): Uint8Array {
  const graph = [
    ...nodes.flatMap(({ op, from, to, attributes = {} }) =>
      field(1, [
        ...from.flatMap((name) => text(1, name)),
        ...text(2, to),
        ...text(4, op),
        ...Object.entries(attributes).flatMap(([name, value]) =>
          field(5, [
            ...text(1, name),
            ...(typeof value === 'number' ? whole(3, value) : value.flatMap((each) => whole(8, each))),
            ...whole(20, typeof value === 'number' ? 2 : 7),
          ]),
        ),
      ]),
    ),
    ...text(2, 'small'),
    ...constants.flatMap((each) => field(5, each)),
    ...inputs.flatMap((each) => field(11, valueInfo(each))),
    ...outputs.flatMap((each) => field(12, valueInfo(each))),
  ]
  return Uint8Array.from([...whole(1, 8), ...field(7, graph), ...field(8, [...text(1, ''), ...whole(2, 13)])])
}

export const PICTURE = [1, 3, 'h', 'w']
/** A picture's feature is its mean color. */
export const meanColour = (input: string, output: string, dims: Value['dims'] = PICTURE) =>
  onnx(
    [{ name: input, dims }],
    [{ name: output, dims: [1, 3] }],
    [
      { op: 'GlobalAveragePool', from: [input], to: 'pooled' },
      { op: 'Flatten', from: ['pooled'], to: output, attributes: { axis: 1 } },
    ],
  )
