// What the page of a channel shows, in its address: where it begins, and in which partition.
import type { LocationQuery } from 'vue-router'
import { readMoment } from '../../../text/moments.ts'

export interface ChannelFields {
  /** Newest first from now on, or events from a point. */
  point: 'latest' | 'earliest' | 'time' | 'sequence'
  /** Of a time, the instant; of a sequence, the number. Empty until it is entered. */
  at: string
  /** Empty for all. */
  partition: string
  view: 'events' | 'log'
}

export const points = [
  { value: 'latest', words: 'newest' },
  { value: 'earliest', words: 'oldest' },
  { value: 'time', words: 'a time' },
  { value: 'sequence', words: 'a number' },
] as const satisfies readonly { value: ChannelFields['point']; words: string }[]

const textOf = (value: LocationQuery[string] | undefined): string => (typeof value === 'string' ? value : '')
export const isSequence = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)

/** Whether a moment field has read what was typed; its text is a hint in the field until then. */
export const isMoment = (text: string): boolean => text !== '' && 'value' in readMoment(text, 'UTC')

export function channelFieldsOf({ from, partition, view }: LocationQuery): ChannelFields {
  const at = textOf(from)
  const only = textOf(partition)
  const place = {
    partition: /^\d{1,2}$/.test(only) ? only : '',
    view: view === 'log' ? 'log' : 'events',
  } as const
  if (at === '' || at === 'latest') return { ...place, point: 'latest', at: '' }
  if (at === 'earliest') return { ...place, point: 'earliest', at: '' }
  // A number belongs to a partition.
  if (isSequence(at)) return { ...place, point: 'sequence', at, partition: place.partition || '0' }
  // Neither a number nor a time: an address that was cut or typed.
  return isMoment(at) ? { ...place, point: 'time', at } : { ...place, point: 'latest', at: '' }
}

export function addressOfChannel({ point, at, partition, view }: ChannelFields): LocationQuery {
  const from = point === 'latest' ? '' : point === 'earliest' ? 'earliest' : at
  const all = { from, partition, view: view === 'log' ? 'log' : '' }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}
