// Events, gaps and lags in words.
import type { ChannelField, ChannelView, EventGap, PageEvent } from '../../../api/events.ts'
import type { FieldDescription, RecordValue } from '../../../api/records.ts'
import type { IconName } from '../../../frame/icons.ts'
import { count, listWords, momentWords, numberWords, valueWords } from '../../../text/words.ts'
import { recordValueWords } from '../../records/record-words.ts'
import { wholeSpanWords } from '../operate-words.ts'

export interface ChangePayload {
  object: string
  id: string
  operation: 'insert' | 'update' | 'delete'
  changed: Record<string, RecordValue>
  prior: Record<string, RecordValue>
  user: string
}

export const changeOf = ({ payload }: PageEvent): ChangePayload => payload as ChangePayload

export const operationMarks: Readonly<
  Record<ChangePayload['operation'], { words: string; icon: IconName; tone: 'ok' | 'muted' | 'err' }>
> = {
  insert: { words: 'created', icon: 'plus', tone: 'ok' },
  update: { words: 'changed', icon: 'change', tone: 'muted' },
  delete: { words: 'deleted', icon: 'x', tone: 'err' },
}

/** One field of a change, or of a platform event, which has no value before. */
export interface ShownField {
  key: string
  label: string
  isHidden: boolean
  before: RecordValue
  after: RecordValue
  field: ChannelField | null
}

/** The fields of a change by their keys; those that the user cannot read are marked. */
export function changedFields(event: PageEvent, fields: readonly ChannelField[]): ShownField[] {
  const { changed, prior } = changeOf(event)
  const aliases = new Set(fields.flatMap((field) => field.aliases))
  return Object.keys(changed).flatMap((key) => {
    const field = fields.find((each) => each.key === key) ?? null
    if (field === null && aliases.has(key)) return []
    const [before, after] = [prior[key] ?? null, changed[key] ?? null]
    const isHidden = field?.isReadable === false
    // What a new record does not have, and a deleted one did not.
    if (!isHidden && before === null && after === null) return []
    return [{ key, label: field?.label ?? key, isHidden, before, after, field }]
  })
}

export function payloadFields({ payload }: PageEvent, fields: readonly ChannelField[]): ShownField[] {
  return Object.entries(payload).map(([key, value]) => {
    const field = fields.find((each) => each.key === key) ?? null
    return {
      ...{ key, isHidden: false, before: null, after: value as RecordValue, field },
      label: field?.label ?? key,
    }
  })
}

/** @param none in place of no value */
export function fieldWords({ field }: ShownField, value: RecordValue, none = 'none'): string {
  if (value === null) return none
  return field?.type ? recordValueWords({ type: field.type, labels: field.labels }, value) : valueWords(value)
}

const eventRange = (asked: string, last: string): string => {
  const first = BigInt(asked) + 1n
  const [from, to] = [first, BigInt(last)].map((each) => each.toLocaleString('en-GB'))
  return from === to ? `event ${from!}` : `events ${from!}–${to!}`
}
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** One sentence for each partition, or for all. */
export function gapWords(
  { reason, partitions }: EventGap,
  { retentionDays, partitions: many }: Pick<ChannelView, 'retentionDays' | 'partitions'>,
): string[] {
  const place = (partition: number): string => (many > 1 ? `Partition ${partition}: ` : '')
  const sentence = (partition: number, text: string): string =>
    many > 1 ? `${place(partition)}${text}` : upper(text)
  switch (reason) {
    case 'retention':
      return partitions.map(({ partition, asked, resumesAfter }) => {
        const verb = BigInt(resumesAfter) - BigInt(asked) === 1n ? 'was' : 'were'
        return sentence(
          partition,
          `${eventRange(asked, resumesAfter)} ${verb} removed after ${count(retentionDays, 'day')}.`,
        )
      })
    case 'ahead':
      return partitions.map(({ partition, asked, resumesAfter }) => {
        const wanted = (BigInt(asked) + 1n).toLocaleString('en-GB')
        const rest =
          resumesAfter === '0'
            ? 'the channel has no event'
            : `the newest one is ${BigInt(resumesAfter).toLocaleString('en-GB')}`
        return sentence(partition, `no event has the number ${wanted} yet: ${rest}.`)
      })
    case 'partitions':
      return [
        'The channel has had a different number of partitions. Events from before are not in this order.',
      ]
    case 'restored':
      return partitions.map(({ partition, asked, resumesAfter }) =>
        sentence(
          partition,
          `the org was restored from an older copy, which ends before ${eventRange(resumesAfter, asked)}.`,
        ),
      )
  }
}

export const epochWords = (reason: 'partitions' | 'restored', at: string): string =>
  reason === 'partitions'
    ? `${momentWords(at)}: the number of partitions changed. Cursors from before do not continue.`
    : `${momentWords(at)}: the org was restored from an older copy.`

/** `6 events, since 14 Nov, 09:12 (2 h 5 min)` */
export function lagWords(lag: number | null, since: string | null, now: number): string {
  if (lag === null) return '–'
  if (lag === 0) return 'none'
  if (since === null) return count(lag, 'event')
  return `${count(lag, 'event')}, for ${wholeSpanWords(now - Date.parse(since))}`
}

export const carriedWords = ({ kind, object }: Pick<ChannelView, 'kind' | 'object'>): string =>
  kind === 'platform' ? 'platform events' : `changes of ${object!}`

export const rightWords = ({ mayRead, mayPublish }: Pick<ChannelView, 'mayRead' | 'mayPublish'>): string =>
  listWords([...(mayRead ? ['read'] : []), ...(mayPublish ? ['publish'] : [])])

/** What moving a subscription does. */
export function replayWords({ repeated, skipped }: { repeated: number; skipped: number }): string {
  if (repeated === 0 && skipped === 0)
    return 'The subscription is there already: nothing is repeated or skipped.'
  const parts = [
    ...(repeated > 0 ? [`${count(repeated, 'event')} will be delivered again`] : []),
    ...(skipped > 0
      ? [`${repeated > 0 ? numberWords(skipped) : count(skipped, 'event')} will be skipped`]
      : []),
  ]
  return `${upper(listWords(parts))}.`
}

/** An input for a field of a platform event. */
export const inputField = (field: ChannelField): FieldDescription => ({
  ...{ key: field.key, label: field.label ?? field.key, type: field.type ?? 'text', aliases: [] },
  ...{ required: field.required, unique: false, sensitive: false },
  ...{ precision: field.precision, scale: field.scale, valueSet: null },
  ...{ values: field.values, labels: field.labels, references: field.references },
  ...{ computed: null, hasDefault: false, editable: true, filling: false },
})
