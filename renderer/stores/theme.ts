// Light or dark: the person's own choice, else that of their system.
import { defineStore } from 'pinia'
import { ref } from 'vue'

export type Theme = 'light' | 'dark'
const place = 'almanac.theme'

export const useTheme = defineStore('theme', () => {
  const theme = ref<Theme>(chosen())
  show()

  function show(): void {
    document.documentElement.dataset.theme = theme.value
  }

  function change(): void {
    theme.value = theme.value === 'dark' ? 'light' : 'dark'
    localStorage.setItem(place, theme.value)
    show()
  }
  return { theme, change }
})

function chosen(): Theme {
  const kept = localStorage.getItem(place)
  if (kept === 'light' || kept === 'dark') return kept
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
