/** Lines of a text file, without building an array of all of them; a backslash at the end joins the next line. */
export function* textLines(text: string): Generator<{ line: string; number: number }> {
  let start = 0
  let number = 0
  let held = ''
  while (start < text.length) {
    let end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    number++
    let line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end)
    start = end + 1
    if (held !== '') {
      line = held + line
      held = ''
    }
    if (line.endsWith('\\')) {
      held = `${line.slice(0, -1)} `
      continue
    }
    yield { line, number }
  }
  if (held !== '') yield { line: held, number }
}
