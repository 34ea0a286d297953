// The record and the date for which expressions show their value: one for each object, for all of its expressions.
import { defineStore } from 'pinia'
import { reactive } from 'vue'

export interface PreviewSubject {
  /** Empty until one is picked. */
  id: string
  display: string
  /** Empty for the date of the record. */
  asOf: string
}

export const usePreviewSubject = defineStore('preview-subject', () => {
  const byObject = reactive(new Map<string, PreviewSubject>())
  /** Null while no value is asked for. */
  const of = (object: string): PreviewSubject | null => byObject.get(object) ?? null
  const put = (object: string, subject: Partial<PreviewSubject>): unknown =>
    byObject.set(object, { ...(of(object) ?? { id: '', display: '', asOf: '' }), ...subject })
  const close = (object: string): unknown => byObject.delete(object)
  return { of, put, close }
})
