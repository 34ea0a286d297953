// Light, dark or high contrast: the user's choice, otherwise the system's, followed as it changes.
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'

export const themes = ['light', 'dark', 'contrast'] as const
export type Theme = (typeof themes)[number]
export const themeWords: Record<Theme, string> = {
  light: 'light',
  dark: 'dark',
  contrast: 'high contrast',
}
const place = 'almanac.theme'

export const useTheme = defineStore('theme', () => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const ofSystem = ref<Theme>(nameOf(dark))
  dark.addEventListener('change', (now) => (ofSystem.value = nameOf(now)))
  /** Null if the system's theme applies. */
  const chosen = ref<Theme | null>(loadTheme())
  // Another window chose one.
  window.addEventListener('storage', ({ key }) => {
    if (key === place || key === null) chosen.value = loadTheme()
  })
  const theme = computed<Theme>(() => chosen.value ?? ofSystem.value)
  watch(theme, (name) => (document.documentElement.dataset.theme = name), { immediate: true, flush: 'sync' })

  function choose(name: Theme | null): void {
    chosen.value = name
    if (name === null) localStorage.removeItem(place)
    else localStorage.setItem(place, name)
  }

  const next = computed<Theme>(() => themes[(themes.indexOf(theme.value) + 1) % themes.length]!)
  /** Changes to the next theme; if that is the system's, the system is followed again. */
  const change = (): void => choose(next.value === ofSystem.value ? null : next.value)

  return { theme, chosen, next, choose, change }
})

function nameOf({ matches }: { matches: boolean }): Theme {
  return matches ? 'dark' : 'light'
}

function loadTheme(): Theme | null {
  const found = localStorage.getItem(place)
  return themes.find((name) => name === found) ?? null
}
