// The words and marks of bulk jobs.
import type { IngestJob, IngestOperation, IngestState, RowOutcome } from '../../../api/ingest.ts'
import type { IconName } from '../../../frame/icons.ts'
import { numberWords } from '../../../text/words.ts'
import type { Mark } from '../operate-words.ts'

export const ingestStates = [
  { value: '', words: 'all' },
  { value: 'open', words: 'open' },
  { value: 'queued', words: 'queued' },
  { value: 'processing', words: 'processing' },
  { value: 'completed', words: 'completed' },
  { value: 'failed', words: 'ended early' },
  { value: 'aborted', words: 'aborted' },
] as const satisfies readonly { value: IngestState | ''; words: string }[]

export function jobMark({ state, failed }: Pick<IngestJob, 'state' | 'failed'>): Mark {
  switch (state) {
    case 'open':
      return { words: 'open', icon: 'deploy', tone: 'muted' }
    case 'queued':
      return { words: 'queued', icon: 'ring', tone: 'muted' }
    case 'processing':
      return { words: 'processing', icon: 'send', tone: 'ok' }
    case 'completed':
      return failed > 0
        ? { words: 'completed, rows failed', icon: 'warning', tone: 'warn' }
        : { words: 'completed', icon: 'okay', tone: 'ok' }
    case 'failed':
      return { words: 'ended early', icon: 'error', tone: 'err' }
    case 'aborted':
      return { words: 'aborted', icon: 'stop', tone: 'muted' }
  }
}

export const operations: Readonly<Record<IngestOperation, { words: string; help: string }>> = {
  insert: { words: 'Insert', help: 'Each row is a new record.' },
  upsert: { words: 'Upsert', help: 'A row changes the record with its external ID, or is a new record.' },
  update: { words: 'Update', help: 'A row changes a record; a row without one fails.' },
  delete: { words: 'Delete', help: 'A row deletes a record.' },
}

export const outcomeMarks: Readonly<Record<RowOutcome, { icon: IconName; tone: Mark['tone'] }>> = {
  created: { icon: 'plus', tone: 'ok' },
  changed: { icon: 'edit', tone: 'muted' },
  unchanged: { icon: 'eq', tone: 'muted' },
  deleted: { icon: 'minus', tone: 'muted' },
  failed: { icon: 'error', tone: 'err' },
}

export const hasEnded = ({ state }: Pick<IngestJob, 'state'>): boolean =>
  state === 'completed' || state === 'failed' || state === 'aborted'

/** In percent; null before the job is closed. */
export function shareOf({ state, bytes, bytesDone }: IngestJob): number | null {
  if (state === 'open' || bytes === 0) return null
  return state === 'completed' ? 100 : Math.floor((bytesDone / bytes) * 100)
}

/** `480,763 of 675,600`, or `480,763` while the rows are not counted. */
export const rowsWords = ({ rowsDone, rowsTotal }: IngestJob): string =>
  rowsTotal === null || rowsTotal === rowsDone
    ? numberWords(rowsDone)
    : `${numberWords(rowsDone)} of ${numberWords(rowsTotal)}`

/** `upsert into customer by code` */
export function jobWords({ operation, object, externalId }: IngestJob): string {
  const verbs = { insert: 'insert into', upsert: 'upsert into', update: 'update of', delete: 'delete from' }
  return `${verbs[operation]} ${object ?? 'a hidden object'}${externalId === null ? '' : ` by ${externalId}`}`
}
