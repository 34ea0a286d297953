// Fields of a record that another user changed after this one had typed into them: the user decides which value stays.
import { computed, type ComputedRef } from 'vue'
import type { FieldDescription, HistoryEntry, RecordValue } from '../../api/records.ts'
import type { FieldConflict } from '../../placed/field-host.ts'
import { useNames } from '../../stores/use-names.ts'
import { useRecordEdits } from './record-edits.ts'
import { recordValueWords } from './record-words.ts'

export interface ConflictParts {
  path(): string
  fields(): readonly FieldDescription[]
  /** Null while nothing is known. */
  stored(): ((field: FieldDescription) => RecordValue) | null
  /** How the record that a reference names is shown. */
  displayOf(field: string): string
  /** The newest first. */
  history(): readonly HistoryEntry[]
}

export function useRecordConflicts({ path, fields, stored, displayOf, history }: ConflictParts) {
  const edits = useRecordEdits()
  const nameOf = useNames()

  const conflicts: ComputedRef<ReadonlyMap<string, FieldConflict>> = computed(() => {
    const storedOf = stored()
    const typed = edits.of(path())
    if (storedOf === null) return new Map()
    return new Map(
      fields().flatMap((field): [string, FieldConflict][] => {
        const base = edits.baseOf(path(), field.key)
        if (!Object.hasOwn(typed, field.key) || base === undefined) return []
        const theirs = storedOf(field)
        return theirs === base || theirs === typed[field.key] ? [] : [[field.key, conflictOf(field, theirs)]]
      }),
    )
  })

  function conflictOf(field: FieldDescription, theirs: RecordValue): FieldConflict {
    const entry = history().find((each) => each.fields.some((change) => change.field === field.key))
    const shown = field.references === null ? recordValueWords(field, theirs) : displayOf(field.key)
    return {
      by: entry === undefined ? '' : nameOf(entry.by),
      theirs: theirs === null || shown === '' ? 'no value' : `“${shown}”`,
    }
  }

  return {
    conflicts,
    keepMine: (field: FieldDescription): unknown => edits.rebase(path(), field.key, stored()!(field)),
    takeTheirs: (field: FieldDescription): void => edits.drop(path(), field.key),
  }
}
