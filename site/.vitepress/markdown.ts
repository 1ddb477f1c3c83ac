import type { MarkdownRenderer } from 'vitepress'

const THREAD = /(?<![\w./-])([A-Za-z0-9][\w-]*\/[A-Za-z0-9][\w.-]*)#(\d+)\b/g
/** Longer code in a table cell can wrap; an option or a name of this length stays in one piece. */
const MAX_SHORT_CODE = 24

/** `owner/repo#12` becomes a link to the thread, as on GitHub. */
export function threadLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('thread-links', (state) => {
    for (const block of state.tokens) {
      if (block.type !== 'inline' || !block.children) continue
      let links = 0
      block.children = block.children.flatMap((token) => {
        if (token.type === 'link_open') links++
        if (token.type === 'link_close') links--
        if (token.type !== 'text' || links > 0) return [token]
        const text = (content: string): typeof token => Object.assign(new state.Token('text', '', 0), { content })
        const parts: (typeof token)[] = []
        let end = 0
        for (const { 0: thread, 1: repository, 2: number, index } of token.content.matchAll(THREAD)) {
          const open = new state.Token('link_open', 'a', 1)
          open.attrSet('href', `https://github.com/${repository}/issues/${number}`)
          parts.push(text(token.content.slice(end, index)), open, text(thread), new state.Token('link_close', 'a', -1))
          end = index + thread.length
        }
        return end === 0 ? [token] : [...parts, text(token.content.slice(end))]
      })
    }
  })
}

/** Gives short code the class `short`, which does not wrap. */
export function markShortCode(md: MarkdownRenderer): void {
  const render = md.renderer.rules.code_inline!
  md.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const token = tokens[index]!
    if (token.content.length <= MAX_SHORT_CODE) token.attrJoin('class', 'short')
    return render(tokens, index, ...rest)
  }
}
