// What an action over all dead calls, or all dead deliveries, of a filter needs to know of them.
import type { RecordJob } from '../../../api/records.ts'

export const verbs = { requeue: 'Requeue', resolve: 'Resolve', discard: 'Discard' } as const

export type DeadAction = keyof typeof verbs

export interface HandledItems {
  rows: number
  unrepeatable: number
  job: string | null
}

export interface DeadItems {
  one: string
  many: string
  actions: readonly DeadAction[]
  /** Why some are requeued only if that is accepted, after their number. */
  unrepeatable: string
  acceptance: string
  /** Handles those of the filter, or counts them. */
  handle(request: {
    action: DeadAction
    acceptRepeat?: boolean
    reason?: string
    dryRun?: boolean
  }): Promise<HandledItems>
  /** What a job does with them; null for other jobs. */
  actionOf(job: RecordJob): DeadAction | null
}
