import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { currentRoute } from './navigation/location.ts'
import { loadPage } from './app/pages.tsx'
import { matchPage } from './navigation/routes.ts'
import type { DataSource } from './data/source.ts'
import { SourceContext } from './data/hooks.ts'

/** The initial script does not wait for the document and its style sheets, but rendering has to. */
async function pageIsReady(): Promise<void> {
  if (document.readyState === 'loading') await nextEvent(document, ['DOMContentLoaded'])
  const sheets = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  await Promise.all(sheets.filter(({ sheet }) => !sheet).map((link) => nextEvent(link, ['load', 'error'])))
}

function nextEvent(to: EventTarget, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    for (const event of events) to.addEventListener(event, () => resolve(), { once: true })
  })
}

export async function mount(source: DataSource): Promise<void> {
  const opened = matchPage(currentRoute().path)
  await Promise.all([opened && loadPage(opened.page), pageIsReady()])
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <SourceContext value={source}>
        <App />
      </SourceContext>
    </StrictMode>,
  )
}
