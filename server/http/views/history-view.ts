// A history as the surface gives it: who, when, why, and what in words (studio: history).
import type { ChangeView } from '#kernel/wire/index.ts'
import type { EffectiveAccess } from '../../access/index.ts'
import type { HistoryPage } from '../../pipeline/index.ts'
import type { GenerationRow } from '../../ports/org-store.ts'
import { changeViews } from './change-view.ts'

export interface HistoryView {
  history: { generation: GenerationRow; changes: ChangeView[] }[]
  total: number
  before: number | null
}

export function historyView({ events, total, before }: HistoryPage, access: EffectiveAccess): HistoryView {
  const history = events.map(({ generation, changes }) => ({
    generation,
    changes: changeViews({ rows: changes, findings: [], access }),
  }))
  return { history, total, before }
}
