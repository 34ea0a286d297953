// Light or dark: the person's own choice, else that of their system, followed as it changes.
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'

export type Theme = 'light' | 'dark'
const place = 'almanac.theme'

export const useTheme = defineStore('theme', () => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const ofSystem = ref<Theme>(nameOf(dark))
  dark.addEventListener('change', (now) => (ofSystem.value = nameOf(now)))
  /** Null where the system's counts. */
  const chosen = ref<Theme | null>(kept())
  const theme = computed<Theme>(() => chosen.value ?? ofSystem.value)
  watch(theme, (name) => (document.documentElement.dataset.theme = name), { immediate: true, flush: 'sync' })

  /** Changes to the other theme; where that is the system's, the system is followed again. */
  function change(): void {
    const other = theme.value === 'dark' ? 'light' : 'dark'
    chosen.value = other === ofSystem.value ? null : other
    if (chosen.value === null) localStorage.removeItem(place)
    else localStorage.setItem(place, chosen.value)
  }
  return { theme, change }
})

function nameOf({ matches }: { matches: boolean }): Theme {
  return matches ? 'dark' : 'light'
}

function kept(): Theme | null {
  const found = localStorage.getItem(place)
  return found === 'light' || found === 'dark' ? found : null
}
