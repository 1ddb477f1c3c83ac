/** The value of an expression with + − × ÷ ^, parentheses and sqrt; null if it is not one. Angles are in degrees. */
export function calculate(text: string): number | null {
  const tokens = text
    .toLowerCase()
    .replaceAll('×', '*')
    .replaceAll('÷', '/')
    .replaceAll('−', '-')
    .match(/\d+(?:\.\d+)?|\.\d+|sqrt|sin|cos|tan|[-+*/^()]|\S/g)
  if (tokens === null) return null
  let at = 0
  const take = (token: string): boolean => tokens[at] === token && at++ >= 0
  const primary = (): number => {
    if (take('-')) return -power()
    if (take('(')) {
      const value = sum()
      return take(')') ? value : Number.NaN
    }
    const name = tokens[at++]
    const own = name === undefined || !Object.hasOwn(FUNCTIONS, name) ? undefined : FUNCTIONS[name]
    if (own) return own(primary())
    return name !== undefined && /^[\d.]/.test(name) ? Number(name) : Number.NaN
  }
  const power = (): number => {
    const base = primary()
    return take('^') ? base ** power() : base
  }
  const product = (): number => {
    let value = power()
    for (;;) {
      if (take('*')) value *= power()
      else if (take('/')) value /= power()
      else return value
    }
  }
  const sum = (): number => {
    let value = product()
    for (;;) {
      if (take('+')) value += product()
      else if (take('-')) value -= product()
      else return value
    }
  }
  const value = sum()
  return at === tokens.length && Number.isFinite(value) ? value : null
}

const degrees = (turn: (radians: number) => number) => (value: number) => turn((value * Math.PI) / 180)

const FUNCTIONS: Readonly<Record<string, (value: number) => number>> = {
  sqrt: Math.sqrt,
  sin: degrees(Math.sin),
  cos: degrees(Math.cos),
  tan: degrees(Math.tan),
}
