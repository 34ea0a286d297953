// The studio: a page over the server's HTTP, in the desktop's window or in a browser.
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './app.vue'
import { holdRequestsUntil } from './api/request.ts'
import { router } from './router.ts'
import { useLive } from './stores/live.ts'
import { signInPath } from './stores/session.ts'
import '@fontsource-variable/inter/wght.css'
import '@fontsource/jetbrains-mono/latin-400.css'
import '@fontsource/jetbrains-mono/latin-600.css'
import './styles/index.css'

const pinia = createPinia()
// The frame accepts keys immediately. Its first reads wait for the event stream, so that no change is missed between
// the two.
if (location.pathname !== signInPath) holdRequestsUntil(useLive(pinia).start())
createApp(App).use(pinia).use(router).mount('#app')
