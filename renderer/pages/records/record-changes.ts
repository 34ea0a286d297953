// Counts the saves of records in this window, so that every page that shows records reads them again.
import { defineStore } from 'pinia'
import { ref } from 'vue'

export const useRecordChanges = defineStore('record-changes', () => {
  const at = ref(0)
  const note = (): void => void (at.value += 1)
  return { at, note }
})
