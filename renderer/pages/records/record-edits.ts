// Values that were typed into records and are not saved yet. They stay while other pages are shown and, as a copy on this
// machine, when the window is closed or loaded again.
import { defineStore } from 'pinia'
import { reactive } from 'vue'
import type { ObjectDescription, RecordValue } from '../../api/records.ts'
import { keepUnsavedCopy } from '../../stores/unsaved-copy.ts'
import type { UnsureInsert } from './insert-once.ts'
import { recordPath } from '../../text/record-address.ts'

/** What a form contains: text for every type except yes or no. */
export type TypedValues = Record<string, RecordValue>

type Copy = [path: string, values: TypedValues, bases: TypedValues, unsure?: UnsureInsert]

export const useRecordEdits = defineStore('record-edits', () => {
  const all = reactive(new Map<string, TypedValues>())
  /** The stored values over which values were typed, so that nobody's later change is overwritten unseen. */
  const bases = reactive(new Map<string, TypedValues>())

  /** Saves of new records whose outcome is not known yet. */
  const unsure = reactive(new Map<string, UnsureInsert>())

  void keepUnsavedCopy<Copy>('record-edits', {
    sources: [all, bases, unsure],
    entries: () => [...new Set([...all.keys(), ...unsure.keys()])].map(copyOf),
    restore([path, values, over, insert]) {
      if (all.has(path) || unsure.has(path)) return
      if (Object.keys(values).length > 0) all.set(path, values)
      bases.set(path, over)
      keepUnsure(path, insert ?? null)
    },
  })
  function copyOf(path: string): Copy {
    const [values, over, insert] = [all.get(path) ?? {}, bases.get(path) ?? {}, unsure.get(path)]
    return insert === undefined ? [path, values, over] : [path, values, over, insert]
  }

  const unsureOf = (path: string): UnsureInsert | null => unsure.get(path) ?? null
  function keepUnsure(path: string, insert: UnsureInsert | null): void {
    if (insert === null) unsure.delete(path)
    else unsure.set(path, insert)
  }

  /** @param path of the record */
  const of = (path: string): TypedValues => all.get(path) ?? {}

  function set(path: string, field: string, value: RecordValue, stored: RecordValue): void {
    if (!Object.hasOwn(of(path), field)) rebase(path, field, stored)
    if (value === stored) drop(path, field)
    else keep(path, field, value)
  }

  /** Keeps a value even if it is the stored one, because a save of a different one is on its way. */
  function keep(path: string, field: string, value: RecordValue): void {
    all.set(path, { ...of(path), [field]: value })
  }

  /** The stored value over which a value was typed; undefined if it is not known. */
  const baseOf = (path: string, field: string): RecordValue | undefined => bases.get(path)?.[field]

  /** From now on, the value is meant to replace this one. */
  function rebase(path: string, field: string, stored: RecordValue): void {
    bases.set(path, { ...bases.get(path), [field]: stored })
  }

  /** Forgets the value of one field. */
  function drop(path: string, field: string): void {
    for (const values of [all, bases]) {
      const { [field]: _, ...others } = values.get(path) ?? {}
      if (Object.keys(others).length === 0) values.delete(path)
      else values.set(path, others)
    }
  }

  /** Forgets the values that a save has stored; one that was typed since stays, over the stored one. */
  function settle(path: string, sent: TypedValues, stored: (field: string) => RecordValue): void {
    for (const [field, value] of Object.entries(sent))
      if (of(path)[field] === value) drop(path, field)
      else if (Object.hasOwn(of(path), field)) rebase(path, field, stored(field))
  }

  /** Values that were typed into a field that has a different key now belong to it. */
  function followRenames({ key, fields }: Pick<ObjectDescription, 'key' | 'fields'>): void {
    const known = new Set(fields.map((field) => field.key))
    for (const [path, values] of all)
      for (const name of path.startsWith(recordPath(key, '')) ? Object.keys(values) : []) {
        const now = known.has(name) ? undefined : fields.find(({ aliases }) => aliases.includes(name))?.key
        if (now !== undefined) rename(path, name, now)
      }
  }

  function rename(path: string, from: string, to: string): void {
    const [value, base] = [of(path)[from]!, baseOf(path, from)]
    drop(path, from)
    if (Object.hasOwn(of(path), to)) return
    keep(path, to, value)
    if (base !== undefined) rebase(path, to, base)
  }

  /** What is left after the save of a new record belongs to the record that it became. */
  function move(from: string, to: string): void {
    for (const values of [all, bases]) {
      const found = values.get(from)
      if (found !== undefined) values.set(to, found)
    }
    discard(from)
  }

  function discard(path: string): void {
    all.delete(path)
    bases.delete(path)
    unsure.delete(path)
  }

  return {
    unsureOf,
    keepUnsure,
    of,
    set,
    keep,
    baseOf,
    rebase,
    drop,
    settle,
    followRenames,
    move,
    discard,
    all,
  }
})
