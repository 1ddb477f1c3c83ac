/** Drawings that hold nothing but shapes and words. */

const ELEMENTS = new Set(
  'svg g defs path rect circle ellipse line polyline polygon text tspan title desc clipPath mask marker pattern linearGradient radialGradient stop'.split(
    ' ',
  ),
)

/**
 * Is it safe to open an SVG file alone, from disk, where no server can say what it may do? Then it has only elements
 * that draw, no handlers, and refers to nothing outside itself.
 */
export function isPlainSvg(svg: string): boolean {
  const body = svg.replace(/^\uFEFF?\s*<\?xml [^?]*\?>/, '')
  if (/<[!?]/.test(body)) return false
  for (const [, name] of body.matchAll(/<\/?\s*([^\s/>]*)/g)) if (!ELEMENTS.has(name!)) return false
  // Before the spelling is looked at: `&#106;avascript:` is a spelling too.
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(body)) return false
  if (/\s(?:on\w+|(?:\w+:)?href|src|style)\s*=/i.test(body)) return false
  return !/url\(\s*["']?(?!#)/i.test(body)
}
