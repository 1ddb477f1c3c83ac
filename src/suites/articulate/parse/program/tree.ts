/** Programs as trees. */

export type Expression = { line: number } & (
  | { kind: 'constant'; value: null | boolean | number | string }
  | { kind: 'format'; pieces: readonly ({ text: string } | { value: Expression; spec: string })[] }
  | { kind: 'name'; name: string }
  | { kind: 'list' | 'tuple'; items: readonly Item[] }
  | { kind: 'dict'; entries: readonly { key: Expression | null; value: Expression }[] }
  | { kind: 'unary'; operator: '-' | '+' | 'not'; value: Expression }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  | { kind: 'compare'; first: Expression; rest: readonly { operator: string; value: Expression }[] }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'choice'; test: Expression; yes: Expression; no: Expression }
  | { kind: 'attribute'; value: Expression; name: string }
  | { kind: 'subscript'; value: Expression; index: Expression }
  | { kind: 'slice'; from: Expression | null; to: Expression | null; step: Expression | null }
  | {
      kind: 'call'
      callee: Expression
      args: readonly Item[]
      named: readonly { name: string | null; value: Expression }[]
    }
  | { kind: 'lambda'; parameters: readonly Parameter[]; body: Expression }
  | { kind: 'comprehension'; of: 'list' | 'dict'; key: Expression | null; value: Expression; loops: readonly Loop[] }
)

/** An item of a list or a call; a starred one is spread. */
export interface Item {
  value: Expression
  isSpread: boolean
}

export interface Loop {
  target: Expression
  over: Expression
  conditions: readonly Expression[]
}

export interface Parameter {
  name: string
  otherwise: Expression | null
  /** `*args` and `**kwargs`. */
  stars: 0 | 1 | 2
}

export type Statement = { line: number } & (
  | { kind: 'expression'; value: Expression }
  | { kind: 'assign'; targets: readonly Expression[]; value: Expression }
  | { kind: 'augment'; target: Expression; operator: string; value: Expression }
  | { kind: 'return'; value: Expression | null }
  | { kind: 'if'; branches: readonly { test: Expression | null; body: readonly Statement[] }[] }
  | { kind: 'for'; target: Expression; over: Expression; body: readonly Statement[] }
  | { kind: 'while'; test: Expression; body: readonly Statement[] }
  | { kind: 'def'; name: string; parameters: readonly Parameter[]; body: readonly Statement[] }
  | { kind: 'import'; module: string; names: readonly { name: string; as: string }[] | null; as: string }
  | { kind: 'raise'; value: Expression | null }
  | { kind: 'assert'; test: Expression; message: Expression | null }
  | { kind: 'pass' | 'break' | 'continue' }
)
