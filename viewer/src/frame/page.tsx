/**
 * The frame of every page: breadcrumbs, theme switch and keyboard help.
 *
 * @example
 * <Page title="space/text by baseline/oracle" crumbs={[{ title: 'Leaderboard', to: linkTo.leaderboard() }, { title: run }]}>
 *   …
 * </Page>
 */
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Segmented } from '../ui/segmented.tsx'
import { KeyboardHelp } from './help.tsx'
import { linkTo } from '../navigation/routes.ts'
import { chooseTheme, type Theme, useTheme } from '../ui/theme.ts'

/** On the first page, the browser manages the focus. */
const OPENED_AT = location.hash

export interface Crumb {
  title: string
  /** Link target; omitted for the current page. */
  to?: string
}

export interface PageProps {
  /** Window title; pages render their own heading. */
  title: string
  crumbs?: readonly Crumb[]
  /** Use the full window width. */
  wide?: boolean
  /** There are no other pages to go to. */
  isAlone?: boolean
  children: ReactNode
}

const HOME = 'flex shrink-0 items-center gap-2 font-semibold tracking-tight'

export function Page({ title, crumbs = [], wide = false, isAlone = false, children }: PageProps) {
  const main = useRef<HTMLElement>(null)
  useEffect(() => {
    document.title = title === '' ? 'Sightline' : `${title} · Sightline`
  }, [title])
  useEffect(() => {
    // After navigation, screen readers and Tab start at the new page's content.
    if (location.hash !== OPENED_AT && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true })
  }, [])
  const width = wide ? 'max-w-none' : 'max-w-[1360px]'
  return (
    <div className="flex min-h-dvh flex-col">
      <button
        type="button"
        className="absolute left-3 top-2 z-50 -translate-y-20 rounded-md bg-accent px-3 py-1.5 text-paper focus:translate-y-0"
        onClick={() => main.current?.focus()}
      >
        Skip to content
      </button>
      <header className="sticky top-0 z-30 border-b border-line bg-paper">
        <div className={`mx-auto flex h-12 items-center gap-3 px-4 sm:px-6 ${width}`}>
          {isAlone ? (
            <span className={HOME}>
              <Logo /> Sightline
            </span>
          ) : (
            <Link href={linkTo.leaderboard()} className={HOME}>
              <Logo />
              <span className={crumbs.length > 0 ? 'max-sm:sr-only' : ''}>Sightline</span>
            </Link>
          )}
          <Breadcrumbs crumbs={crumbs} />
          <div className="ml-auto flex shrink-0 items-center gap-1">
            <ThemeSwitch />
            <KeyboardHelp />
          </div>
        </div>
      </header>
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className={`mx-auto w-full min-w-0 flex-1 px-4 py-5 outline-none sm:px-6 ${width}`}
      >
        {children}
      </main>
    </div>
  )
}

/** Same as `public/icon.svg`, inlined to save a request. */
function Logo() {
  return (
    <svg viewBox="0 0 32 32" className="size-6" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#16324f" />
      <path d="M4 16c4-6 8-8 12-8s8 2 12 8c-4 6-8 8-12 8s-8-2-12-8z" fill="none" stroke="#fff" strokeWidth="2.2" />
      <path d="M16 16 28 9v14z" fill="#ffb627" opacity=".9" />
      <circle cx="16" cy="16" r="3.6" fill="#fff" />
    </svg>
  )
}

function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  if (crumbs.length === 0) return null
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center text-[13px] text-quiet">
        {crumbs.map(({ title, to }, i) => (
          // Narrow screens show only the parent and the current page.
          <li
            key={`${i}-${title}`}
            className={`flex min-w-0 items-center ${i < crumbs.length - 2 ? 'max-sm:hidden' : ''} ${to === undefined ? '' : 'max-w-32 shrink-0 sm:max-w-72'}`}
          >
            <span aria-hidden="true" className="mx-2 shrink-0 text-line">
              /
            </span>
            {to === undefined ? (
              <span aria-current="page" className="truncate text-ink">
                {title}
              </span>
            ) : (
              <Link href={to} className="truncate hover:text-ink hover:underline">
                {title}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

const THEMES: readonly { value: Theme; title: string; icon: 'screen' | 'sun' | 'moon' }[] = [
  { value: 'system', title: 'System', icon: 'screen' },
  { value: 'light', title: 'Light', icon: 'sun' },
  { value: 'dark', title: 'Dark', icon: 'moon' },
]

function ThemeSwitch() {
  return <Segmented label="Theme" value={useTheme()} onChange={chooseTheme} options={THEMES} iconsOnly />
}
