/** Checks that an SVG contains only shapes and text. */

const ELEMENTS = new Set(
  'svg g defs path rect circle ellipse line polyline polygon text tspan title desc clipPath mask marker pattern linearGradient radialGradient stop'.split(
    ' ',
  ),
)

/**
 * Whether an SVG file is safe to open directly from disk, without a server's security headers: only drawing elements,
 * no event handlers, no external references.
 */
export function isPlainSvg(svg: string): boolean {
  const body = svg.replace(/^\uFEFF?\s*<\?xml [^?]*\?>/, '')
  if (/<[!?]/.test(body)) return false
  for (const [, name] of body.matchAll(/<\/?\s*([^\s/>]*)/g)) if (!ELEMENTS.has(name!)) return false
  // Checked first because entities can disguise text: `&#106;avascript:`.
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(body)) return false
  if (/\s(?:on\w+|(?:\w+:)?href|src|style)\s*=/i.test(body)) return false
  return !/url\(\s*["']?(?!#)/i.test(body)
}
