// The studio: a page over the server's HTTP, in the desktop's window or in a browser.
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './app.vue'
import { router } from './router.ts'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/frame.css'
import './styles/primitives.css'
import './styles/studio.css'

createApp(App).use(createPinia()).use(router).mount('#app')
