/** Line icons on a 16 px grid in the current text color. Decorative only; labels carry the meaning. */
const PATHS = {
  keyboard: 'M2 4.5h12v7H2zM4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01M5 9.5h6',
  cross: 'M4 4l8 8M12 4l-8 8',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z',
  screen: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 13.5 13.5',
  chevronDown: 'M4 6l4 4 4-4',
  chevronUp: 'M4 10l4-4 4 4',
  chevronLeft: 'M10 4l-4 4 4 4',
  chevronRight: 'M6 4l4 4-4 4',
  sort: 'M5 6l3-3 3 3M5 10l3 3 3-3',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  warning: 'M8 2.2 14.3 13H1.7zM8 6.5v3M8 11.3h.01',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.3v3.5M8 5.2h.01',
  play: 'M4.5 3v10l8-5z',
  pause: 'M5 3.5v9M11 3.5v9',
  stop: 'M4 4h8v8H4z',
  first: 'M12 4 7 8l5 4zM4 4v8',
  last: 'M4 4l5 4-5 4zM12 4v8',
  arrowRight: 'M3 8h10M9 4l4 4-4 4',
  compare: 'M5 2.5v11M2.5 5 5 2.5 7.5 5M11 13.5v-11M8.5 11l2.5 2.5 2.5-2.5',
  filter: 'M2 3.5h12L9.5 9v4l-3-1.5V9z',
  swap: 'M3 5.5h10M10 2.5l3 3-3 3M13 10.5H3M6 7.5l-3 3 3 3',
  expand: 'M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5 9 7M2.5 13.5 7 9',
  eye: 'M1.5 8C3.5 4.8 5.6 3.5 8 3.5s4.5 1.3 6.5 4.5c-2 3.2-4.1 4.5-6.5 4.5S3.5 11.2 1.5 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z',
  link: 'M7 9a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9.2 3.1L8.3 4M9 7a2.6 2.6 0 0 0-3.7 0L3.1 9.2a2.6 2.6 0 0 0 3.7 3.7l.9-.9',
  person: 'M8 2.5a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM3 13.5c.4-2.8 2.4-4 5-4s4.6 1.2 5 4',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, className = 'size-4' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
