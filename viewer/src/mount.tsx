import './app/style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import type { DataSource } from './data/source.ts'
import { SourceContext } from './data/use.ts'

export function mount(source: DataSource): void {
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <SourceContext value={source}>
        <App />
      </SourceContext>
    </StrictMode>,
  )
}
