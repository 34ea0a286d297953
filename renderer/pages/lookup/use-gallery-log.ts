// The log of the live field, newest first: its events, and every call of its source.
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { callWords } from './call-words.ts'
import type { SourceCall } from './watched-source.ts'

export interface LogRow {
  id: number
  at: Date
  name: string
  detail: string
  /** An event of the element, as opposed to a call of the source. */
  event: boolean
  tone?: 'err' | 'muted'
  call?: SourceCall
}

const most = 200

export const useGalleryLog = defineStore('lookup-gallery-log', () => {
  const rows = shallowRef<readonly LogRow[]>([])
  let last = 0
  const nextId = (): number => ++last

  function add(row: LogRow): void {
    rows.value = [row, ...rows.value].slice(0, most)
  }
  /** Adds a call of the source, or what is newly known of it. */
  function recordCall(call: SourceCall, id: number): void {
    const known = rows.value.find((row) => row.id === id)
    const row = { id, at: known?.at ?? new Date(), event: false, call, ...callWords(call) }
    if (known === undefined) add(row)
    else rows.value = rows.value.map((each) => (each === known ? row : each))
  }
  const recordEvent = (name: string, detail: string): void =>
    add({ id: nextId(), at: new Date(), name, detail, event: true })
  const clear = (): unknown => (rows.value = [])

  const calls = computed(() => rows.value.flatMap(({ call }) => (call === undefined ? [] : [call])))
  return { rows, calls, nextId, recordCall, recordEvent, clear }
})
