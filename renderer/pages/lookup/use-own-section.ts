// A section outside any layout, for experiments: built from the live field until it is edited, kept for this window.
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { setAt, type Path } from '../../text/minimal-edit.ts'
import { createTextParser } from '../../stores/text-parser.ts'
import { sectionWith } from './placement.ts'
import { useGallery } from './use-gallery.ts'

const storageKey = 'almanac.lookup.placement'

export const useOwnSection = defineStore('lookup-own-section', () => {
  const gallery = useGallery()
  /** The text as typed, valid JSON or not. */
  const written = ref(sessionStorage.getItem(storageKey))
  const text = computed(() => written.value ?? sectionWith(gallery.field.inputs))
  const reading = createTextParser()
  watch(text, reading.now, { immediate: true, flush: 'sync' })

  function write(next: string): void {
    written.value = next
    sessionStorage.setItem(storageKey, next)
  }
  const set = (path: Path, to: unknown): void => write(setAt(text.value, path, to))
  const fromField = (): void => write(sectionWith(gallery.field.inputs))

  return { text, value: reading.whole, fault: reading.fault, write, set, fromField }
})
