// The open documents: one per component, however many pages show it.
import { defineStore } from 'pinia'
import { ref, shallowReactive, toRef } from 'vue'
import type { ComponentId, ComponentType } from '../api/wire.ts'
import { openDocument, type Document, type DocumentEvents } from './document.ts'
import { useOrg } from './org.ts'
import { useUi } from './ui.ts'

export const useDocuments = defineStore('documents', () => {
  const open = shallowReactive(new Map<ComponentId, Document>())
  const savedAt = ref<Date | null>(null)
  const org = useOrg()
  const ui = useUi()

  function of(type: ComponentType, key: string): Document {
    const id: ComponentId = `${type}/${key}`
    const known = open.get(id)
    if (known !== undefined) return known
    const events: DocumentEvents = {
      onSaved: (at) => {
        savedAt.value = at
        org.scheduleMarkChanged()
      },
      onMerged: (author) => ui.notify(`${key}: merged with the changes of ${author}.`),
    }
    const newDocument = openDocument(id, type, key, { events, locked: toRef(org, 'readOnly') })
    open.set(id, newDocument)
    return newDocument
  }

  const saveListeners = new Set<() => void>()
  /**
   * Calls back before everything is saved, for edits that count only once their field is left. Returns the function
   * that stops it.
   */
  function beforeSave(settle: () => void): () => void {
    saveListeners.add(settle)
    return () => void saveListeners.delete(settle)
  }
  function saveAll(keepalive = false): Promise<unknown> {
    for (const settle of saveListeners) settle()
    return Promise.all([...open.values()].map((document) => document.save(keepalive)))
  }

  /** Reads every open document again, after an apply, a rollback or a repair. */
  const refreshAll = (): Promise<unknown> =>
    Promise.all([...open.values()].map((document) => document.refresh()))

  window.addEventListener('pagehide', () => void saveAll(true))
  return { open, savedAt, of, beforeSave, saveAll, refreshAll }
})
