/** Random whole programs: functions, classes, exceptions, loops and arrays, printing as they go. */
import type { Random } from '../../src/base/random.ts'

const PARTS = ['door', 'drawer', 'lid', 'knob', 'handle', 'body']

/** Pieces of programs. Each stands alone, prints what it does, and uses numbers drawn for it. */
type Piece = (random: Random, name: string) => string

const number = (random: Random): string => random.pick(['0', '1', '2', '3', '-1', '0.5', '2.25', '-0.75', '10', '7'])
const numbers = (random: Random, least = 1): string =>
  Array.from({ length: least + random.int(4) }, () => number(random)).join(', ')
const part = (random: Random): string => random.pick(PARTS)

const loop: Piece = (random, name) => `
${name} = []
for i, v in enumerate([${numbers(random)}], start=${random.int(3)}):
    if v ${random.pick(['<', '>', '=='])} ${number(random)}:
        ${random.pick(['continue', 'break', `${name}.append((i, 'hit'))`])}
    ${name}.append((i, v ${random.pick(['+', '*', '-', '//', '%', '/'])} ${number(random)}))
else:
    ${name}.append('else')
print(${name}, i)
`

const whileLoop: Piece = (random, name) => `
n, ${name} = ${random.int(9)}, ''
while n ${random.pick(['> 0', '< 12', '!= 5'])} and len(${name}) < 20:
    n ${random.pick(['-= 1', '+= 2', '= n * 2 + 1'])}
    ${name} += f'{n:${random.pick(['02d', '>3', 'x', '+'])}},'
else:
    ${name} += 'end'
print(${name})
`

const callable: Piece = (random, name) => `
def ${name}(a, b=${number(random)}, *rest, scale=${number(random)}, **options):
    """Scales."""
    total = a * scale
    for value in rest:
        total += value
    return ${random.pick(['total, b, rest', 'total if total else options', '{"t": total, **options}', 'sorted(rest), b'])}
print(${name}(${number(random)}))
print(${name}(${numbers(random, 2)}, scale=${number(random)}, ${part(random)}=${number(random)}))
try:
    print(${name}(${random.pick(['', 'a=1, a2=2', '1, a=2', 'b=3', '1, 2, 3, scale=4'])}))
except TypeError as error:
    print(type(error).__name__, error)
`

const closure: Piece = (random, name) => `
def ${name}(start):
    count = start
    def step(by=${number(random)}):
        nonlocal count
        count += by
        return count
    return step
step = ${name}(${number(random)})
print([step() for _ in range(${1 + random.int(4)})], step(${number(random)}))
`

const generator: Piece = (random, name) => `
def ${name}(limit):
    a, b = ${number(random)}, ${number(random)}
    while True:
        if abs(a) > limit:
            return
        yield a
        a, b = b, a + b ${random.pick(['+ 1', '- 2', '* 2 + 1'])}
print(list(zip(range(6), ${name}(${5 + random.int(50)}))))
print(sum(v for v in itertools.islice(${name}(1e6), ${1 + random.int(8)}) if v ${random.pick(['> 0', '< 3'])}))
`

const klass: Piece = (random, name) => `
class ${name}Base:
    kind = '${part(random)}'
    made = 0
    def __init__(self, size, *, name='${part(random)}'):
        self.size = size
        self._name = name
        type(self).made += 1
    def volume(self):
        return round(self.size ** ${random.pick(['2', '3'])}, 3)
    @property
    def name(self):
        return self._name.upper()
    @name.setter
    def name(self, value):
        if not value:
            raise ValueError(f'bad name: {value!r}')
        self._name = value
    @classmethod
    def unit(cls):
        return cls(1)
    @staticmethod
    def describe(x):
        return f'<{x}>'
    def __repr__(self):
        return f'{type(self).__name__}({self.size}, {self._name!r})'
    def __eq__(self, other):
        return isinstance(other, ${name}Base) and self.size == other.size
    def __lt__(self, other):
        return self.size < other.size
    def __add__(self, other):
        return type(self)(self.size + getattr(other, 'size', other))
    def __len__(self):
        return int(abs(self.size))
class ${name}(${name}Base):
    def __init__(self, size, extra=${number(random)}, **kw):
        super().__init__(size * 2, **kw)
        self.extra = extra
    def volume(self):
        return super().volume() + self.extra
items = [${name}(v) for v in (${numbers(random, 2)})] + [${name}Base.unit()]
print(items, sorted(items), [item.volume() for item in items])
print(items[0] + items[1], items[0] == items[1], len(items[0]), bool(items[-1]), max(items))
print(items[0].name, ${name}.describe(${number(random)}), ${name}.made, ${name}Base.made, ${name}.kind)
try:
    items[0].name = ${random.pick(["''", "'new'", 'None'])}
    print(items[0].name)
    print(items[0].${random.pick(['extra', 'missing', 'size', '_name'])})
except (ValueError, AttributeError) as error:
    print(type(error).__name__, error)
`

const dataClass: Piece = (random, name) => `
@dataclass${random.pick(['', '(order=True)', '(frozen=True)', '(eq=False)'])}
class ${name}:
    name: str
    size: float = ${number(random)}
    tags: list = field(default_factory=list)
    limits: Optional[Tuple[float, float]] = None
    def scaled(self, by: float) -> "${name}":
        return ${name}(self.name, self.size * by, self.tags + ['x'])
a, b = ${name}('${part(random)}'), ${name}('${part(random)}', ${number(random)}, limits=(${number(random)}, ${number(random)}))
print(a, b, a == ${name}('${part(random)}'), a.scaled(${number(random)}))
try:
    a.tags.append(${number(random)})
    a.size = ${number(random)}
    print(a, a < b)
except Exception as error:
    print(type(error).__name__)
`

const raising: Piece = (random, name) => `
class ${name}Error(${random.pick(['Exception', 'ValueError', 'KeyError', 'RuntimeError'])}):
    pass
def ${name}(n):
    try:
        if n == 0:
            raise ${name}Error('zero', n)
        if n == 1:
            return {}['${part(random)}']
        if n == 2:
            return [1, 2][${random.pick(['5', '"a"', '-3'])}]
        return ${number(random)} / (n - 3)
    except (${random.pick(['KeyError', 'IndexError', 'LookupError', 'ArithmeticError'])}, ${random.pick(['ZeroDivisionError', 'TypeError'])}) as error:
        print('handled', type(error).__name__, error)
        ${random.pick(['return None', 'raise', "raise RuntimeError('again') from error"])}
    else:
        print('else')
    finally:
        print('finally', n)
for n in range(5):
    try:
        print(${name}(n))
    except Exception as error:
        print('outer', type(error).__name__, error, error.args)
`

const containers: Piece = (random, name) => `
${name} = {'${part(random)}': [${numbers(random)}], '${part(random)}': [${numbers(random)}]}
${name}.setdefault('${part(random)}', []).append(${number(random)})
for key, values in sorted(${name}.items()):
    values.sort(reverse=${random.pick(['True', 'False'])})
    print(key, values, sum(values) / len(values), max(values, default=None))
first, *others = ${name}
print(first, others, ${name}.get('nothing'), ${name}.pop('${part(random)}', 'gone'), list(${name}))
rows = [[i * j for j in range(${1 + random.int(4)})] for i in range(${1 + random.int(4)})]
rows[0][${random.pick(['0:1', '::2', '-1:'])}] = [${numbers(random)}]
print(rows, [sum(row) for row in rows], list(zip(*rows)), {len(row) for row in rows})
del rows[${random.pick(['0', '-1', ':1'])}]
print(rows, rows[::-1], any(rows), all(rows), ${name} == dict(${name}))
`

const text: Piece = (random, name) => `
${name} = '${part(random)}_${random.int(20)}, ${part(random)} ${random.int(9)};  ${part(random)}'
words = ${name}.replace(';', ',').split(',')
print([word.strip().title() for word in words], ${name}.count('o'), ${name}[::${random.pick(['2', '-1', '3'])}])
for width in (${random.int(12)}, ${random.int(30)}):
    print(f'[{${name}[:8]:^{width}}]', f'{width:>{width // 2 + 1}d}', '%-*s|' % (width, '${part(random)}'))
print(', '.join(f'{w}={len(w)}' for w in sorted(set(${name}.split()), key=lambda w: (len(w), w))))
print(${name}.partition('_'), ${name}.rfind('o'), ${name}.upper().swapcase(), '{0}-{0!r:>10}'.format(${name}[:3]))
`

const matching: Piece = (random, name) => `
def ${name}(value):
    match value:
        case 0 | ${random.int(5)}:
            return 'small'
        case [x, y] if x == y:
            return f'pair {x}'
        case [x, *rest]:
            return f'first {x}, rest {rest}'
        case {'kind': kind, **others}:
            return f'{kind} {others}'
        case str() as s:
            return s.upper()
        case float() | int():
            return 'number'
        case None:
            return 'none'
        case _:
            return 'other'
for value in [${numbers(random)}, [1, 1], [${numbers(random)}], {'kind': '${part(random)}', 'n': 1}, '${part(random)}', None, {1}]:
    print(${name}(value))
`

const arrays: Piece = (random, name) => `
${name} = np.array([[${number(random)}, ${number(random)}, ${number(random)}], [${number(random)}, ${number(random)}, ${number(random)}]], dtype=${random.pick(['float', 'np.float64', 'float'])})
print(${name}, ${name}.shape, ${name}.T, ${name}[:, ${random.int(3)}], ${name}[${random.pick(['0', '-1', '1, 1:', ':, ::-1', '..., 0'])}])
print(${name} ${random.pick(['+', '-', '*', '/'])} ${number(random)}, ${name} ${random.pick(['>', '<=', '=='])} ${number(random)}, -${name})
print(${name}.${random.pick(['sum', 'mean', 'max', 'min', 'prod', 'std', 'argmax'])}(${random.pick(['', 'axis=0', 'axis=1', 'axis=-1'])}))
print(np.${random.pick(['linalg.norm', 'sqrt', 'abs', 'median', 'cumsum', 'sort', 'round', 'sign', 'unique'])}(${random.pick([name, `np.abs(${name})`, `${name}[0]`])}))
print(np.dot(${name}[0], ${name}[1]), np.cross(${name}[0], ${name}[1]), ${name} @ ${name}.T)
${name}[${random.pick(['0', ':, 1', '0, 0', `${name} > 0`])}] ${random.pick(['=', '+=', '*='])} ${number(random)}
print(${name}.tolist(), repr(${name}), np.where(${name} > 0, ${name}, 0), np.clip(${name}, -1, ${random.pick(['1', '2.5'])}))
print(np.concatenate([${name}[0], [${numbers(random)}]]), np.vstack([${name}, ${name}[:1]]), np.linspace(0, ${number(random)}, 4))
try:
    print(${name} + np.array([${numbers(random)}]))
except ValueError as error:
    print(error)
`

/** Ends the program with an exception, so that types and lines are compared. */
const ending: Piece = (random, name) => `
def ${name}(value):
    return (
        value
        ${random.pick(['/ 0', "+ 'text'", '[1]', '.nothing', '(1)'])}
    )

print(
    ${name}(
        ${number(random)},
    )
)
`

const PIECES: readonly Piece[] = [
  loop,
  whileLoop,
  callable,
  closure,
  generator,
  klass,
  dataClass,
  raising,
  containers,
  text,
  matching,
  arrays,
]

const BEFORE = `from __future__ import annotations
import itertools, math
import numpy as np
from dataclasses import dataclass, field
from typing import List, Optional, Tuple
`

export function wholeProgram(random: Random): string {
  const pieces = Array.from({ length: 1 + random.int(4) }, (_, i) => random.pick(PIECES)(random, `Name${i}`))
  if (random.chance(0.3)) pieces.push(ending(random, 'last'))
  return BEFORE + pieces.join('')
}
