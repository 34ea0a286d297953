// The open elements around the pages: dialogs, the inspector on a small window; and the last status message.
import { defineStore } from 'pinia'
import { ref } from 'vue'
import { useOutput } from './output.ts'

export const useUi = defineStore('ui', () => {
  const output = useOutput()
  const palette = ref(false)
  const shortcuts = ref(false)
  const newComponent = ref(false)
  /** Shown over the page if the window is too small to show the inspector next to it. */
  const inspectorOver = ref(false)
  /** Shown over the page if the window is too narrow to show the explorer next to it. */
  const explorerOver = ref(false)
  /** A short status message; read out, and shown for a while. */
  const notice = ref('')
  let timer = 0

  function notify(sentence: string): void {
    notice.value = sentence
    output.log(sentence)
    window.clearTimeout(timer)
    timer = window.setTimeout(() => (notice.value = ''), 6000)
  }

  return { palette, shortcuts, newComponent, inspectorOver, explorerOver, notice, notify }
})
