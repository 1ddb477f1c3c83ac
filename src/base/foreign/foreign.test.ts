import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { Random } from '../random.ts'
import { checkHeap } from './heap.ts'
import { parseForeignJson } from './json.ts'
import { listZip, readZip } from './zip.ts'

describe('JSON of others', () => {
  it('is parsed, whatever its strings contain', () => {
    const value = { a: ['[[[{{{'.repeat(500), '\\"[', { b: [1, -2.5e3, null, true] }], 'c\\': ']]]' }
    expect(parseForeignJson(JSON.stringify(value))).toEqual(value)
  })

  it.each([
    ['nested lists', '['.repeat(1_000)],
    ['nested objects', '{"a":'.repeat(1_000)],
    ['nested lists after a string that ends in a backslash', `["\\\\",${'['.repeat(1_000)}`],
    ['more empty objects than fit', `[${'{},'.repeat(5_500_000)}{}]`],
  ])('%s are refused before they are parsed', (_, text) => {
    expect(() => parseForeignJson(text)).toThrow(/nested deeper than 900 levels|too many for its size/)
  })
})

describe('zip archives of others', () => {
  /** With a field of all entries in the directory set to a number. */
  function declaring(archive: Uint8Array, offset: number, value: number): Uint8Array {
    const view = new DataView(archive.buffer, archive.byteOffset)
    for (let at = 0; at + 46 <= archive.length; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + offset, value, true)
    return archive
  }
  const COMPRESSED = 20
  const UNCOMPRESSED = 24
  const packed = (): Uint8Array => zipSync({ 'a.json': strToU8('{"a": 1}'.repeat(100)) })
  const stored = (): Uint8Array => zipSync({ 'a.json': strToU8('{"a": 1}') }, { level: 0 })

  it('are listed and read', () => {
    const archive = packed()
    const entries = listZip(archive, 'x.zip')
    expect(entries).toEqual([{ name: 'a.json', bytes: 800 }])
    expect([...readZip(archive, entries, 'x.zip')]).toEqual([['a.json', '{"a": 1}'.repeat(100)]])
  })

  it.each([
    ['a size that deflate cannot reach', declaring(packed(), UNCOMPRESSED, 50_000_000), 'cannot unpack to 50000000'],
    ['a size of gigabytes', declaring(packed(), UNCOMPRESSED, 4_000_000_000), 'unpacks to 4000000000 bytes'],
    ['an entry larger than the archive', declaring(packed(), COMPRESSED, 4_000_000), 'more than the archive'],
    ['a stored entry of two sizes', declaring(stored(), UNCOMPRESSED, 0), 'cannot unpack to 0 bytes'],
  ])('%s is refused before anything is unpacked', (_, archive, message) => {
    expect(() => listZip(archive, 'x.zip')).toThrow(message)
  })

  it('an archive that unpacks to hundreds of times its size is refused', () => {
    const random = new Random('incompressible')
    const bytes = Uint8Array.from({ length: 62_000 }, () => random.int(256))
    const archive = zipSync(Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`${i}.json`, bytes])))
    expect(() => listZip(declaring(archive, UNCOMPRESSED, 60 << 20), 'x.zip')).toThrow(
      'it unpacks to more than 200 times',
    )
  })
})

it.each([
  ['half of the memory', 1, 2, true],
  ['all but the reserve', 3.25, 4, true],
  ['more', 3.5, 4, false],
])('reading continues with %s in use: %d of %d GB', (_, used, limit, continues) => {
  const check = () => checkHeap('a.jsonl', { used_heap_size: used * 2 ** 30 - 1, heap_size_limit: limit * 2 ** 30 })
  if (continues) expect(check()).toBeUndefined()
  else expect(check).toThrow('a.jsonl needs more memory than this process may use (4096 MB)')
})
