// The records that guided flows are about to add. They are in memory only, and each is saved once.
import { defineStore } from 'pinia'
import { reactive } from 'vue'
import type { RecordValue } from '../../api/records.ts'
import type { UnsureInsert } from '../records/insert-once.ts'

export interface FlowDraft {
  /** By field. An empty field is not in it. */
  values: Record<string, RecordValue>
  /** Names of the records that references name, by field. */
  displays: Record<string, string>
  problems: Record<string, string>
  /** A save whose response was lost: the record may have been added with it. */
  unsure: UnsureInsert | null
  /** The last call of the operation of each step: what was sent, with which key, and whether it succeeded. */
  calls: Record<string, { sent: string; once: string; isDone: boolean }>
}

export const useFlowDrafts = defineStore('flow-drafts', () => {
  const all = reactive(new Map<string, FlowDraft>())

  /** @param path of the flow */
  function of(path: string): FlowDraft {
    if (!all.has(path)) all.set(path, { values: {}, displays: {}, problems: {}, calls: {}, unsure: null })
    return all.get(path)!
  }
  const hasInput = (path: string): boolean => Object.keys(all.get(path)?.values ?? {}).length > 0
  const discard = (path: string): unknown => all.delete(path)
  return { of, hasInput, discard }
})
