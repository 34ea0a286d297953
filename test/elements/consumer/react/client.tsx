import { hydrateRoot } from 'react-dom/client'
import { Page } from './page.tsx'

hydrateRoot(document.querySelector('#app')!, <Page />, {
  onRecoverableError: (error) => console.error(error),
})
