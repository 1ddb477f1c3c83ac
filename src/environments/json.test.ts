import { expect, it } from 'vitest'
import { dataUrl, jsonOf } from './json.ts'

it('is what JSON.stringify writes, with data URLs in any place and number', () => {
  const [a, b] = [dataUrl(Uint8Array.of(1, 2, 3), 'image/png'), dataUrl(new Uint8Array(5000).fill(7), 'video/mp4')]
  for (const body of [
    {},
    { text: 'no picture, but "quotes" and 文字' },
    { image_url: a },
    [a, b, a],
    {
      messages: [{ content: [{ type: 'text', text: '"' }, { image_url: b }, { deep: [null, { image_url: a }] }] }],
      last: 1,
    },
  ]) {
    expect(jsonOf(body).map(String).join('')).toBe(JSON.stringify(body))
  }
})
