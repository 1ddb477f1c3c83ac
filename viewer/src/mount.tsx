import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { currentAddress } from './navigation/location.ts'
import { loadPage } from './app/pages.tsx'
import { pageAt } from './navigation/routes.ts'
import type { DataSource } from './data/source.ts'
import { SourceContext } from './data/use.ts'

/** The first script waits neither for the rest of the page nor for its style sheet; what is measured and drawn does. */
async function pageIsReady(): Promise<void> {
  if (document.readyState === 'loading') await happens(document, ['DOMContentLoaded'])
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  await Promise.all(sheets.filter(({ sheet }) => !sheet).map((link) => happens(link, ['load', 'error'])))
}

function happens(to: EventTarget, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    for (const event of events) to.addEventListener(event, () => resolve(), { once: true })
  })
}

export async function mount(source: DataSource): Promise<void> {
  const opened = pageAt(currentAddress().path)
  await Promise.all([opened && loadPage(opened.page), pageIsReady()])
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <SourceContext value={source}>
        <App />
      </SourceContext>
    </StrictMode>,
  )
}
