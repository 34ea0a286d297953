// What is open around the pages: dialogs, the inspector on a small window, the dock.
import { defineStore } from 'pinia'
import { ref } from 'vue'

export const useUi = defineStore('ui', () => {
  const palette = ref(false)
  const shortcuts = ref(false)
  const newComponent = ref(false)
  /** Shown over the page where the window is too small to hold the inspector beside it. */
  const inspectorOver = ref(false)
  const dockOpen = ref(localStorage.getItem('almanac.dock') !== 'closed')
  /** A short sentence on what was just done; read out, and shown for a while. */
  const said = ref('')
  let timer = 0

  function say(sentence: string): void {
    said.value = sentence
    window.clearTimeout(timer)
    timer = window.setTimeout(() => (said.value = ''), 6000)
  }

  function toggleDock(): void {
    dockOpen.value = !dockOpen.value
    localStorage.setItem('almanac.dock', dockOpen.value ? 'open' : 'closed')
  }
  return { palette, shortcuts, newComponent, inspectorOver, dockOpen, said, say, toggleDock }
})
