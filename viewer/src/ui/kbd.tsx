/** A keyboard key. */
const NAMES: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'Space',
  Escape: 'Esc',
  PageDown: 'Page ↓',
  PageUp: 'Page ↑',
}

export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-ground px-1 font-sans text-[11px] text-quiet">
      {NAMES[children] ?? children}
    </kbd>
  )
}
