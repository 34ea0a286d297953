// Converts a history for the HTTP surface: who, when, why, and the change in words.
import type { ChangeView } from '#wire/index.ts'
import {
  changeViews,
  redactGenerations,
  type GenerationViewer,
  type HistoryPage,
} from '../../pipeline/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import type { GenerationRow } from '#wire/index.ts'

export interface HistoryView {
  history: { generation: GenerationRow; changes: ChangeView[] }[]
  total: number
  before: number | null
}

export function historyView(
  reader: OrgReader,
  { events, total, before }: HistoryPage,
  viewer: GenerationViewer,
): HistoryView {
  const rows = redactGenerations(
    reader,
    events.map(({ generation }) => generation),
    viewer,
  )
  const history = events.map(({ changes }, index) => ({
    generation: rows[index]!,
    changes: [...changeViews({ rows: [...changes], findings: [], access: viewer.access })],
  }))
  return { history, total, before }
}
