/** Parses delimited text with RFC 4180 quoting in one pass; fields can contain line breaks. */

/** The records of a table. Never throws: an unclosed quote ends with the text. */
export function* delimitedRecords(text: string, separator: ',' | '\t'): Generator<string[]> {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const record: string[] = []
    for (;;) {
      let field: string
      if (text[at] === '"') [field, at] = quoted(text, at + 1)
      else {
        const from = at
        while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++
        field = text.slice(from, at)
      }
      record.push(field)
      if (text[at] !== separator) break
      at++
    }
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
    yield record
  }
}

function quoted(text: string, from: number): [field: string, next: number] {
  const pieces: string[] = []
  let start = from
  for (;;) {
    const quote = text.indexOf('"', start)
    if (quote < 0) return [[...pieces, text.slice(start)].join(''), text.length]
    pieces.push(text.slice(start, quote))
    if (text[quote + 1] !== '"') {
      // Keep text between the closing quote and the next separator: it belongs to a malformed field.
      let end = quote + 1
      while (end < text.length && text[end] !== ',' && text[end] !== '\t' && text[end] !== '\n' && text[end] !== '\r')
        end++
      pieces.push(text.slice(quote + 1, end))
      return [pieces.join(''), end]
    }
    pieces.push('"')
    start = quote + 2
  }
}
