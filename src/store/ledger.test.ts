import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Ledger } from './ledger.ts'
import { NO_USAGE, type Usage } from './records.ts'

const LOCK = { check: () => Promise.resolve() }
let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-ledger-'))
  path = join(folder, 'paid.jsonl')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const usage = (inputTokens: number, outputTokens: number, usd: number | null): Usage => ({
  ...NO_USAGE,
  calls: 1,
  inputTokens,
  outputTokens,
  usd,
})

it('does not exist while nothing was asked', async () => {
  const ledger = await Ledger.open(path, LOCK)
  await ledger.close()
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

it('counts what was paid, and a request whose end is not known as estimated or as the average of the others', async () => {
  const ledger = await Ledger.open(path, LOCK)
  const [answered, refused] = await Promise.all([
    ledger.intend(usage(90, 0, 0.5)),
    ledger.intend(usage(80, 0, 0.5)),
    ledger.intend(usage(70, 0, 0.25)),
  ])
  await Promise.all([answered(usage(100, 10, 1)), refused(null), ledger.record(usage(5, 5, 2))])
  await ledger.close()

  const { before } = await Ledger.open(path, LOCK)
  expect(before).toMatchObject({ calls: 3, inputTokens: 105 + 70, outputTokens: 15 + 8, usd: 3 + 1.5 })
})

it('has the intent on disk before the request may be sent', async () => {
  const ledger = await Ledger.open(path, LOCK)
  await ledger.intend(usage(90, 0, null))
  expect(await readFile(path, 'utf8')).toBe(
    '{"intent":0,"asks":{"calls":1,"inputTokens":90,"outputTokens":0,"usd":null}}\n',
  )
  await ledger.close()
  expect((await Ledger.open(path, LOCK)).before.usd).toBeNull()
})

it('is continued after a kill in the middle of a line, with new numbers', async () => {
  const first = await Ledger.open(path, LOCK)
  await first.intend(usage(10, 0, 1))
  await first.close()
  await appendFile(path, '{"intent":0,"calls":1,"inpu')

  const second = await Ledger.open(path, LOCK)
  expect(second.before.inputTokens).toBe(10)
  const receipt = await second.intend(usage(20, 0, 1))
  await receipt(usage(20, 2, 1))
  await second.close()
  expect((await Ledger.open(path, LOCK)).before).toMatchObject({ inputTokens: 40, outputTokens: 4, usd: 2 })
})

it('is continued after invalid bytes', async () => {
  await appendFile(path, Buffer.from([0xff, 0xfe, 0x0a]))
  const ledger = await Ledger.open(path, LOCK)
  await (
    await ledger.intend(usage(1, 0, 1))
  )(usage(2, 0, 2))
  await ledger.close()
  expect((await Ledger.open(path, LOCK)).before).toMatchObject({ inputTokens: 2, usd: 2 })
})

it('reads lines of version 0.2, and ignores invalid and negative ones', async () => {
  const lines = [
    '{"calls":1,"inputTokens":100,"outputTokens":10,"usd":0.5}',
    '{"calls":1,"inputTokens":-5e9,"outputTokens":0,"usd":-14000000}',
    'null',
    '[]',
    'nonsense',
  ]
  await appendFile(path, `${lines.join('\n')}\n`)
  expect((await Ledger.open(path, LOCK)).before).toMatchObject({
    calls: 1,
    inputTokens: 100,
    outputTokens: 10,
    usd: 0.5,
  })
})

it('refuses every request while it cannot be written', async () => {
  const ledger = await Ledger.open(join(folder, 'missing', 'paid.jsonl'), LOCK)
  await expect(ledger.intend(usage(1, 0, 1))).rejects.toThrow('does not exist')
  await expect(ledger.intend(usage(1, 0, 1))).rejects.toThrow('does not exist')
  await ledger.close()
})
