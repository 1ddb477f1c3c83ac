/** Programs as trees. */

export type Constant = null | boolean | bigint | number | string

export type Expression = { line: number } & (
  | { kind: 'constant'; value: Constant }
  | { kind: 'ellipsis' }
  | { kind: 'format'; pieces: readonly FormatPiece[] }
  | { kind: 'name'; name: string }
  | { kind: 'list' | 'tuple' | 'set'; items: readonly Item[] }
  | { kind: 'dict'; entries: readonly { key: Expression | null; value: Expression }[] }
  | { kind: 'unary'; operator: '-' | '+' | '~' | 'not'; value: Expression }
  | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  | { kind: 'compare'; first: Expression; rest: readonly { operator: string; value: Expression }[] }
  | { kind: 'and' | 'or'; values: readonly Expression[] }
  | { kind: 'choice'; test: Expression; yes: Expression; no: Expression }
  | { kind: 'attribute'; value: Expression; name: string; nameLine: number }
  | { kind: 'subscript'; value: Expression; index: Expression }
  | { kind: 'slice'; from: Expression | null; to: Expression | null; step: Expression | null }
  | {
      kind: 'call'
      callee: Expression
      args: readonly Item[]
      named: readonly { name: string | null; value: Expression; line: number }[]
    }
  | { kind: 'lambda'; code: Code; body: Expression }
  | {
      kind: 'comprehension'
      of: 'list' | 'dict' | 'set' | 'generator'
      key: Expression | null
      value: Expression
      loops: readonly Loop[]
      names: ReadonlySet<string>
    }
  | { kind: 'walrus'; name: string; value: Expression }
)

export type FormatPiece =
  | { text: string }
  | { value: Expression; conversion: '' | 'r' | 's' | 'a'; spec: readonly FormatPiece[]; debug: string | null }

/** An item of a list or a call; a starred one is spread. In targets, a starred one takes the rest. */
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
  /** `positional` before `/`; `named` after `*`; `rest` is `*args`, `others` is `**kwargs`. */
  kind: 'positional' | 'both' | 'named' | 'rest' | 'others'
}

/** What a function knows about its names before it runs, as Python's compiler does. */
export interface Code {
  name: string
  parameters: readonly Parameter[]
  locals: ReadonlySet<string>
  globals: ReadonlySet<string>
  isGenerator: boolean
}

export interface Handler {
  type: Expression | null
  name: string | null
  body: readonly Statement[]
  line: number
}

export type Pattern = { line: number } & (
  | { kind: 'value'; value: Expression }
  | { kind: 'capture'; name: string | null }
  | { kind: 'star'; name: string | null }
  | { kind: 'sequence'; items: readonly Pattern[] }
  | { kind: 'mapping'; entries: readonly { key: Expression; pattern: Pattern }[]; rest: string | null }
  | { kind: 'class'; type: Expression; items: readonly Pattern[]; named: readonly { name: string; pattern: Pattern }[] }
  | { kind: 'either'; patterns: readonly Pattern[] }
  | { kind: 'as'; pattern: Pattern; name: string }
)

export type Statement = { line: number } & (
  | { kind: 'expression'; value: Expression }
  | { kind: 'assign'; targets: readonly Expression[]; value: Expression }
  | { kind: 'annotate'; target: Expression; value: Expression | null; annotation: Expression }
  | { kind: 'augment'; target: Expression; operator: string; value: Expression }
  | { kind: 'yield'; targets: readonly Expression[]; value: Expression | null; isFrom: boolean }
  | { kind: 'delete'; targets: readonly Expression[] }
  | { kind: 'return'; value: Expression | null }
  | { kind: 'if'; test: Expression; body: readonly Statement[]; otherwise: readonly Statement[] }
  | {
      kind: 'for'
      target: Expression
      over: Expression
      body: readonly Statement[]
      otherwise: readonly Statement[]
    }
  | { kind: 'while'; test: Expression; body: readonly Statement[]; otherwise: readonly Statement[] }
  | {
      kind: 'try'
      body: readonly Statement[]
      handlers: readonly Handler[]
      otherwise: readonly Statement[]
      last: readonly Statement[]
    }
  | { kind: 'with'; items: readonly { value: Expression; target: Expression | null }[]; body: readonly Statement[] }
  | {
      kind: 'match'
      subject: Expression
      cases: readonly { pattern: Pattern; guard: Expression | null; body: readonly Statement[] }[]
    }
  | { kind: 'def'; code: Code; body: readonly Statement[]; decorators: readonly Expression[]; doc: string | null }
  | {
      kind: 'class'
      name: string
      bases: readonly Item[]
      named: readonly { name: string | null; value: Expression; line: number }[]
      body: readonly Statement[]
      decorators: readonly Expression[]
      doc: string | null
    }
  | { kind: 'import'; modules: readonly { module: string; as: string | null }[] }
  | { kind: 'from'; module: string; names: readonly { name: string; as: string }[] | null }
  | { kind: 'raise'; value: Expression | null; cause: Expression | null }
  | { kind: 'assert'; test: Expression; message: Expression | null }
  | { kind: 'pass' | 'break' | 'continue' }
)
