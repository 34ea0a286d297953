// The layout of the explorer: by type or by app, and which branches are open.
import { defineStore } from 'pinia'
import { ref } from 'vue'

export type ExplorerBy = 'type' | 'app'

export const useExplorer = defineStore('explorer', () => {
  const by = ref<ExplorerBy>('type')
  /** Names of open branches: a type, or `app:` and its key. */
  const open = ref<string[]>(['config_set', 'feature_flag'])

  function toggle(name: string): void {
    open.value = open.value.includes(name)
      ? open.value.filter((each) => each !== name)
      : [...open.value, name]
  }
  return { by, open, toggle }
})
