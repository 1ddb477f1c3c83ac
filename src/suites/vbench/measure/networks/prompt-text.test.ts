import { expect, test } from 'vitest'
import { cleanedPrompt } from './prompt-text.ts'

/** What CLIP's tokenizer makes of them with ftfy 6.3.1. */
test.each([
  ['A man’s “red” hat', 'a man\'s "red" hat'],
  ['cafe\u{301} au  lait', 'café au lait'],
  ['rock &amp; roll &amp;ldquo;live&amp;rdquo;', 'rock & roll "live"'],
  ['1 < 2 &amp; 3', '1 < 2 & 3'],
  ['it&#39;s &#x41; &hellip; &unknown;', "it's a … &unknown;"],
  ['a &constructor; b', 'a &constructor; b'],
  ['ＬＯＵＤ　ＮＯＩＳＥＳ ﾀｰﾝ', 'loud noises ターン'],
  ['ﬂuﬃest ﬁsh ﬅ Ǆ', 'fluffiest fish ſt dž'],
  ['bell\u{7} zero\u{FEFF}width', 'bell zerowidth'],
  ['½ ² ™ a–b…', '½ ² ™ a–b…'],
])('%j is read as %j', (text, expected) => {
  expect(cleanedPrompt(text)).toBe(expected)
})
