// The entries of one set for the grid: active rows with the drafts over them.
import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import { fetchAllComponents } from '../api/components.ts'
import { fetchDrafts } from '../api/drafts.ts'
import type { ComponentRow, DraftRow } from '../api/wire.ts'
import { readLoosely } from '../text/minimal-edit.ts'

export const useEntries = defineStore('entries', () => {
  const bySet = shallowReactive(new Map<string, ComponentRow[]>())

  async function load(set: string): Promise<ComponentRow[]> {
    const [active, drafts] = await Promise.all([
      fetchAllComponents({ type: 'config_entry', set }),
      fetchDrafts(),
    ])
    const drafted = new Map(drafts.map((draft) => [draft.id, draft]))
    const rows = active.map((row) => (row.draft === null ? row : withDraft(row, drafted.get(row.id))))
    bySet.set(set, rows)
    return rows
  }
  return { bySet, load }
})

/** The row with the content of its draft, as far as its text can be read. */
function withDraft(row: ComponentRow, draft: DraftRow | undefined): ComponentRow {
  if (!draft?.text) return row
  const { value } = readLoosely(draft.text)
  const body = (value as { body?: ComponentRow['facts'] } | undefined)?.body
  if (typeof body !== 'object' || body === null) return row
  const { key, scope, priority, effectiveFrom, effectiveTo, values } = body
  return {
    ...row,
    facts: { ...row.facts, key: key ?? row.facts?.key, scope, priority, effectiveFrom, effectiveTo, values },
  }
}
