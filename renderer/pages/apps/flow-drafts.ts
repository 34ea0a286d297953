// The records that guided flows are about to add. Each is saved once; until then, it is kept on this machine, so that it
// is there again when the page is loaded again.
import { defineStore } from 'pinia'
import { reactive, ref } from 'vue'
import type { RecordValue } from '../../api/records.ts'
import { keepUnsavedCopy } from '../../stores/unsaved-copy.ts'
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

  /** Whether what an earlier window has left is restored: before, a draft is not shown. */
  const isRestored = ref(false)
  void keepUnsavedCopy<[path: string, draft: FlowDraft]>('flow-drafts', {
    sources: [all],
    // Problems are found again when the step is left.
    entries: () =>
      [...all].filter(([path]) => hasInput(path)).map(([path, draft]) => [path, { ...draft, problems: {} }]),
    restore([path, draft]) {
      if (!hasInput(path)) all.set(path, draft)
    },
  }).finally(() => (isRestored.value = true))

  /** @param path of the flow */
  function of(path: string): FlowDraft {
    if (!all.has(path)) all.set(path, { values: {}, displays: {}, problems: {}, calls: {}, unsure: null })
    return all.get(path)!
  }
  function hasInput(path: string): boolean {
    const draft = all.get(path)
    return draft !== undefined && (draft.unsure !== null || Object.keys(draft.values).length > 0)
  }
  const discard = (path: string): unknown => all.delete(path)
  return { of, hasInput, discard, isRestored }
})
