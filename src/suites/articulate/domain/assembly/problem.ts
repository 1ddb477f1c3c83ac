/** Something a program did that cannot be done. `kind` is the name that Python gives to such an error. */
export class AssemblyError extends Error {
  override readonly name = 'AssemblyError'
  readonly kind: 'ValueError' | 'TypeError' | 'KeyError'

  constructor(message: string, kind: AssemblyError['kind'] = 'ValueError') {
    super(message)
    this.kind = kind
  }
}
