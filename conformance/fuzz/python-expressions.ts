/** Random expressions of every built-in type; about one in eight raises. */
import type { Random } from '../../src/base/random.ts'

type Make = (random: Random, depth: number) => string

const INTEGERS = [
  '0',
  '1',
  '2',
  '3',
  '-1',
  '-7',
  '10',
  '17',
  '255',
  '0x1F',
  '1_000',
  '2**70',
  '-3**5',
  'True',
  '12345678901234567890',
]
const FLOATS = [
  '0.0',
  '1.0',
  '-2.5',
  '0.1',
  '3.14159',
  '1e-7',
  '1e16',
  '2.675',
  '1e300',
  '-0.0',
  "float('inf')",
  '100.0',
  '5e-05',
  '123456.789',
]
const TEXTS = [
  "'abc'",
  "''",
  '"it\'s"',
  "'Hello, World'",
  "'a,b,,c'",
  "'  pad  '",
  "'ünïcode'",
  "'😀x'",
  "'line\\none'",
  "r'\\d'",
  "'left_inside_2'",
  "'12'",
  "'3.5'",
]
const NAMES = ['x', 'y', 'n', 's', 'items', 'd', 't']

const integer: Make = (random, depth) => {
  if (depth <= 0 || random.chance(0.35)) return random.pick(INTEGERS)
  const [i, f, s] = [() => integer(random, depth - 1), () => float(random, depth - 1), () => text(random, depth - 1)]
  return random.pick([
    () => `(${i()} ${random.pick(['+', '-', '*', '//', '%', '&', '|', '^'])} ${i()})`,
    () => `(${i()} ${random.pick(['<<', '>>', '**'])} ${random.pick(['0', '1', '3', '5'])})`,
    () => `${random.pick(['-', '+', '~'])}(${i()})`,
    () => `abs(${i()})`,
    () => `len(${sequence(random, depth - 1)})`,
    () => `int(${f()})`,
    () => `round(${f()})`,
    () => `sum(${list(random, depth - 1)})`,
    () => `${random.pick(['min', 'max'])}(${i()}, ${i()}, ${f()})`,
    () => `divmod(${i()}, ${i()})[${random.int(2)}]`,
    () => `(${i()} if ${truth(random, depth - 1)} else ${i()})`,
    () => `${s()}.${random.pick(["find('a')", "count('l')", "index('b')", "rfind('c')"])}`,
    () => `ord(${s()}[0])`,
    () => `int(${random.pick(["'42'", "'-7'", "'0x1f', 16", "'101', 2", "'x'", "'1_0'", "' 5 '", "'1.5'"])})`,
    () => `pow(${i()}, ${random.pick(['2', '3', '5'])}, ${random.pick(['7', '97', '0'])})`,
    () => `(lambda a, b=2: a * b)(${i()})`,
    () => `math.${random.pick(['floor', 'ceil', 'trunc'])}(${f()})`,
    () => `math.gcd(${i()}, ${i()})`,
  ])()
}

const float: Make = (random, depth) => {
  if (depth <= 0 || random.chance(0.35)) return random.pick(FLOATS)
  const [i, f] = [() => integer(random, depth - 1), () => float(random, depth - 1)]
  return random.pick([
    () => `(${f()} ${random.pick(['+', '-', '*', '/', '//', '%'])} ${f()})`,
    () => `(${i()} / ${i()})`,
    () => `(abs(${f()}) ** ${random.pick(['2', '0.5', '-1', '3'])})`,
    () => `-(${f()})`,
    () => `float(${i()})`,
    () => `float(${random.pick(["'1e-3'", "'inf'", "' -2.5 '", "'nan'", "'abc'", "'1_0.5'"])})`,
    () => `round(${f()}, ${random.pick(['0', '1', '2', '-1', '3'])})`,
    () => `abs(${f()})`,
    () => `math.${random.pick(['sqrt', 'sin', 'cos', 'atan', 'radians', 'degrees', 'fabs', 'exp', 'log'])}(${f()})`,
    () => `math.${random.pick(['hypot', 'atan2', 'fmod', 'copysign'])}(${f()}, ${f()})`,
    () => `math.${random.pick(['pi', 'e', 'tau', 'inf'])}`,
    () => `(${random.pick(FLOATS)}).as_integer_ratio()[0] / 7`,
    () => `max(${f()}, ${f()}, key=abs)`,
  ])()
}

const text: Make = (random, depth) => {
  if (depth <= 0 || random.chance(0.3)) return random.pick(TEXTS)
  const [i, f, s] = [() => integer(random, depth - 1), () => float(random, depth - 1), () => text(random, depth - 1)]
  const spec = (): string =>
    `${random.pick(['', '*<', '>', '^', '0=', '=', '<'])}${random.pick(['', '+', ' ', '-'])}${random.pick(['', '#'])}${random.pick(['', '0'])}${random.pick(['', '8', '12'])}${random.pick(['', ',', '_'])}`
  return random.pick([
    () => `(${s()} + ${s()})`,
    () => `(${s()} * ${random.pick(['0', '2', '3', '-1'])})`,
    () => `${s()}[${slice(random)}]`,
    () => `${s()}[${random.pick(['0', '-1', '2', '9'])}]`,
    () => `str(${anything(random, depth - 1)})`,
    () => `repr(${anything(random, depth - 1)})`,
    () =>
      `${s()}.${random.pick(['upper()', 'lower()', 'title()', 'capitalize()', 'swapcase()', 'strip()', 'lstrip()', "rstrip('d')", "replace('a', 'xy')", "replace('l', '', 1)", 'zfill(8)', "center(12, '*')", 'center(11)', 'ljust(6)', 'rjust(9)', "removeprefix('a')", "removesuffix('c')", 'casefold()', "partition(',')[2]", 'expandtabs()'])}`,
    () =>
      `${random.pick(["', '", "''", "'-'"])}.join(${random.pick([`[str(v) for v in ${list(random, depth - 1)}]`, `sorted(${s()})`, `${s()}.split()`])})`,
    () => formatted(f(), spec() + random.pick(['', '.2']) + random.pick(['f', 'e', 'g', '%', ''])),
    () => formatted(i(), spec() + random.pick(['', 'd', 'x', 'b', 'o', 'X'])),
    () => `f'{${random.pick(['x', 'n', 's', 'd', 'items'])}${random.pick(['', '!r', '!s', '='])}}|{{}}'`,
    () => `format(${f()}, ${random.pick(["'.3f'", "'10.2e'", "'g'", "',.1f'", "'+.0f'", "'%'", "'.3'", "'08.2f'"])})`,
    () =>
      `'%${random.pick(['', '-', '+', '0', ' '])}${random.pick(['', '6', '10'])}${random.pick(['', '.2'])}${random.pick(['f', 'd', 's', 'e', 'g', 'r', 'i'])}' % ${random.pick([i, f])()}`,
    () => `'%s is %d' % (${s()}, ${i()})`,
    () => `'{} {1}'.format(${i()}, ${s()})`,
    () => `'{0:>{w}} {name!r}'.format(${i()}, w=${random.pick(['5', '8'])}, name=${s()})`,
    () => `${random.pick(['hex', 'bin', 'oct', 'chr'])}(${random.pick(['65', '255', i()])})`,
    () => `type(${anything(random, depth - 1)}).__name__`,
  ])()
}

/** In an f-string where its quotes allow it. */
const formatted = (value: string, spec: string): string =>
  value.includes('"') || value.includes('\\') ? `format(${value}, '${spec}')` : `f"""{${value}:${spec}}"""`

const slice = (random: Random): string =>
  random.pick(['1:', ':2', '::2', '::-1', '-2:', '1:-1', '5:1:-2', ':', '10:', '::0', '-100:100'])

const list: Make = (random, depth) => {
  if (depth <= 0 || random.chance(0.25))
    return random.pick(['[]', '[1, 2, 3]', '[3, 1, 2]', '[0.5, -1.5]', '[1, 2.0, True]', 'items'])
  const [i, l] = [() => integer(random, depth - 1), () => list(random, depth - 1)]
  return random.pick([
    () => `[${Array.from({ length: random.int(4) }, i).join(', ')}]`,
    () => `(${l()} + ${l()})`,
    () => `(${l()} * ${random.pick(['0', '2', '-1'])})`,
    () => `${l()}[${slice(random)}]`,
    () => `sorted(${l()}${random.pick(['', ', reverse=True', ', key=lambda v: -v', ', key=abs'])})`,
    () => `list(reversed(${l()}))`,
    () => `list(range(${random.pick(['5', '1, 6', '10, 0, -3', '0', '3, 3'])}))`,
    () => `[v * ${i()} for v in ${l()}${random.pick(['', ' if v', ' if v > 1'])}]`,
    () => `[a + b for a in ${l()} for b in (1, 2) if a != b]`,
    () => `list(map(lambda v: v + 1, ${l()}))`,
    () => `list(filter(None, ${l()}))`,
    () => `[*${l()}, ${i()}]`,
    () => `[len(w) for w in ${text(random, depth - 1)}.split()]`,
    () => `[v for v, _ in zip(${l()}, ${l()})]`,
    () => `[i for i, v in enumerate(${l()}, ${random.pick(['0', '1'])})]`,
    () => `list(itertools.${random.pick(['accumulate', 'chain'])}(${l()}))`,
    () => `list(dict.fromkeys(${l()}))`,
  ])()
}

const sequence: Make = (random, depth) => random.pick([text, list, tuple, dict, set])(random, depth)

const tuple: Make = (random, depth) =>
  depth <= 0
    ? random.pick(['()', '(1,)', '(1, 2)', "('a', 1)", 't'])
    : random.pick([
        () => `(${anything(random, depth - 1)},)`,
        () => `(${anything(random, depth - 1)}, ${anything(random, depth - 1)})`,
        () => `tuple(${list(random, depth - 1)})`,
        () => `tuple(zip(${list(random, depth - 1)}, ${text(random, depth - 1)}))`,
        () => `(${tuple(random, depth - 1)} + ${tuple(random, depth - 1)})`,
        () => `${text(random, depth - 1)}.partition(',')`,
        () => `divmod(${float(random, depth - 1)}, ${integer(random, depth - 1)})`,
      ])()

const dict: Make = (random, depth) =>
  depth <= 0
    ? random.pick(['{}', "{'a': 1}", "{1: 'x', 2.0: 'y'}", 'd'])
    : random.pick([
        () =>
          `{${random.pick(["'k'", '1', 'None', '(1, 2)'])}: ${anything(random, depth - 1)}, 'z': ${integer(random, depth - 1)}}`,
        () => `{v: v * v for v in ${list(random, depth - 1)}}`,
        () => `{**${dict(random, depth - 1)}, 'new': ${integer(random, depth - 1)}}`,
        () => `dict(a=${integer(random, depth - 1)}, b=${text(random, depth - 1)})`,
        () => `dict(zip(${text(random, depth - 1)}, ${list(random, depth - 1)}))`,
        () => `(${dict(random, depth - 1)} | ${dict(random, depth - 1)})`,
        () => `dict(sorted(${dict(random, depth - 1)}.items(), key=lambda e: str(e[0])))`,
      ])()

/** Only of small integers: the order of others changes from run to run. */
const set: Make = (random, depth) =>
  depth <= 0
    ? random.pick(['set()', '{1, 2, 3}', '{5, 9, 1}', 'frozenset([2, 1])'])
    : random.pick([
        () => `(${set(random, depth - 1)} ${random.pick(['&', '-'])} ${set(random, depth - 1)})`,
        () => `{v % 5 for v in range(${random.pick(['3', '9', '20'])})}`,
        () => `set(range(${random.pick(['4', '12'])}))`,
      ])()

const truth: Make = (random, depth) => {
  if (depth <= 0) return random.pick(['True', 'False', 'None', 'x', "'a'", '[]', '0'])
  const a = (): string => anything(random, depth - 1)
  return random.pick([
    () =>
      `(${integer(random, depth - 1)} ${random.pick(['<', '<=', '==', '!=', '>', '>='])} ${float(random, depth - 1)})`,
    () => `(${a()} ${random.pick(['==', '!='])} ${a()})`,
    () => `(${a()} ${random.pick(['<', '>='])} ${a()})`,
    () => `(${list(random, depth - 1)} < ${list(random, depth - 1)})`,
    () =>
      `(${integer(random, depth - 1)} ${random.pick(['in', 'not in'])} ${random.pick([list, tuple, set, dict])(random, depth - 1)})`,
    () => `('a' in ${text(random, depth - 1)})`,
    () => `(not ${a()})`,
    () => `(${truth(random, depth - 1)} ${random.pick(['and', 'or'])} ${truth(random, depth - 1)})`,
    () => `(1 < ${integer(random, depth - 1)} <= 10)`,
    () => `isinstance(${a()}, ${random.pick(['int', 'str', '(int, float)', 'list', 'int | str'])})`,
    () => `${random.pick(['any', 'all'])}(v > 0 for v in ${list(random, depth - 1)})`,
    () =>
      `${text(random, depth - 1)}.${random.pick(['isdigit()', 'isalpha()', "startswith('a')", "endswith(('c', 'd'))", 'isupper()', 'islower()', 'isspace()', 'isidentifier()'])}`,
    () => `bool(${a()})`,
    () => `math.isclose(${float(random, depth - 1)}, ${float(random, depth - 1)})`,
    () => `callable(${random.pick(['len', '1', 'str.upper'])})`,
  ])()
}

const anything: Make = (random, depth) =>
  random.weighted([integer, float, text, list, tuple, dict, set, truth], [4, 4, 5, 4, 2, 2, 1, 2])(random, depth)

/** Mistakes that programs make. */
const wrong: Make = (random, depth) => {
  const a = (): string => anything(random, depth - 1)
  return random.pick([
    () => `(${a()} + ${a()})`,
    () => `(${a()} * ${a()})`,
    () => `-${a()}`,
    () => `${a()}[${a()}]`,
    () => `${a()}.nothing`,
    () => `${random.pick(NAMES)}.${random.pick(['append', 'upper', 'keys', 'missing'])}()`,
    () => `${a()}(1)`,
    () => `len(${a()})`,
    () => `int(${a()})`,
    () => `float(${a()})`,
    () => `(lambda a, b: a)(${a()})`,
    () => `undefined_name + ${a()}`,
    () => `next(iter(${list(random, 0)}))`,
    () => `[1, 2, 3].index(${a()})`,
    () => `{}[${a()}]`,
    () => `sorted([${a()}, ${a()}])`,
    () => `(${integer(random, depth - 1)} ${random.pick(['/', '//', '%'])} 0)`,
    () => `'%d' % ${a()}`,
    () => `'{:d}'.format(${a()})`,
    () => `[a for a, b in ${list(random, depth - 1)}]`,
  ])()
}

const BEFORE = `import math, itertools
x, y, n, s, items, d, t = 3, 2.5, None, 'abc', [3, 1, 2], {'a': 1, 'b': [2]}, (1, 'b')
`

/** A program that prints the value of one random expression. */
export function expressionProgram(random: Random): string {
  const expression = random.chance(0.15) ? wrong(random, 2) : anything(random, 1 + random.int(4))
  return `${BEFORE}print(${expression})\n`
}
