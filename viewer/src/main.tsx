import './app/style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { httpSource } from './data/http.ts'
import { SourceContext } from './data/use.ts'

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <SourceContext value={httpSource}>
      <App />
    </SourceContext>
  </StrictMode>,
)
