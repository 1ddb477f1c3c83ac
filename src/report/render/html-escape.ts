import { printable } from '../../base/printable.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return printable(text, ' ').replace(/[&<>"']/g, (char) => ENTITIES[char]!)
}
