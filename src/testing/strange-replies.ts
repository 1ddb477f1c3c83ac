/** Malformed replies that models do give. */
const MEGABYTE = 2 ** 20

export function strangeReplies(): Readonly<Record<string, string>> {
  return {
    'an empty reply': '',
    'white space': ' \n\t '.repeat(1000),
    'a refusal': "I'm sorry, but I can't help with that.",
    'a number of the wrong kind': 'NaN, Infinity, -0, 1e999, 0x10',
    'JSON of the wrong shape': '{"answer": {"answer": [null, {"__proto__": {"x": 1}}]}}',
    'a cut-off reply': '<think>The room has two doors, so the ans',
    'unpaired surrogates': '\ud800 answer \udfff',
    'a megabyte of braces': '{'.repeat(MEGABYTE),
    'a megabyte of digits': '7'.repeat(MEGABYTE),
    'a megabyte of line ends': '\n'.repeat(MEGABYTE),
    'a megabyte of quotes': '"'.repeat(MEGABYTE),
    'a megabyte of backslashes': '\\'.repeat(MEGABYTE),
    'a megabyte of words': 'answer '.repeat(MEGABYTE / 7),
  }
}
