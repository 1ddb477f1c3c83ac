import { expect, it } from 'vitest'
import { svgToBitmap } from '../../../media/index.ts'
import { drawable } from './drawings.ts'

const svg = (text: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="30"><text x="4" y="20" font-family="DejaVu Sans, Noto Sans CJK SC">${text}</text></svg>`

it('draws no boxes for Chinese where no font has it', async () => {
  const chinese = svg('meant: 1 杯子，2 “盒子的左边”')
  expect(drawable(chinese, true)).toBe(chinese)
  expect(drawable(chinese, false)).toBe(svg('meant: 1 (zh)2 (zh)'))
  expect(drawable(svg('said: put it — here'), false)).toBe(svg('said: put it — here'))
  const [drawn, plain] = await Promise.all(
    [drawable(chinese, false), svg('meant: 1 (zh)2 (zh)')].map((each) => svgToBitmap(each)),
  )
  expect(Buffer.from(drawn!.data).equals(Buffer.from(plain!.data))).toBe(true)
})
