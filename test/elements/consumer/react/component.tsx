import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Page } from './page.tsx'

createRoot(document.querySelector('#app')!).render(
  <StrictMode>
    <Page />
  </StrictMode>,
)
