/** The words of a reply, without the marks that say how they look. */

const WRAPPER = /\\(?:text|textbf|textit|mathrm|mathbf|mathit|operatorname|emph)\s{0,3}\{([^{}]{0,200})\}/g
const LATEX_SIGNS: Readonly<Record<string, string>> = { times: '×', cdot: '×', approx: '≈', sim: '~', pm: '±' }

/**
 * Text without Markdown emphasis, headings, quotes and LaTeX markup; digits of other scripts become ASCII digits. One pass
 * per mark.
 *
 * @example
 * plainText('**Answer:** $2.5\\,\\text{m}$') // 'Answer: 2.5 m'
 */
export function plainText(text: string): string {
  return text
    .replaceAll(/\*{2,3}|__|`+|\$+|\\[()[\]]/g, '')
    .replaceAll(WRAPPER, '$1')
    .replaceAll(/\\(times|cdot|approx|sim|pm)(?![a-zA-Z])/g, (_, sign: string) => LATEX_SIGNS[sign]!)
    .replaceAll(/\\[,;:! ]/g, ' ')
    .replaceAll(/^[ \t]{0,8}(?:#{1,6}|>)[ \t]{1,8}/gm, '')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replaceAll('．', '.')
}
