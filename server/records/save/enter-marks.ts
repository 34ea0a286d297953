// Marks values of a record as archived, and refuses changes of what archived values read
// (docs/reference/bindings-and-evidence.md).
import { fieldKey, type FieldId, type StoredBinding } from '#kernel/records/index.ts'
import { archivedRecord } from './record-errors.ts'
import type { Phase, Save } from './save.ts'

/** Values, inputs and generations stay as they are. */
export const enterMarks: Phase = {
  name: 'enter',
  async run(save) {
    const { values } = save.before!
    const inputs = new Map(save.before!.inputs)
    const bindings = new Map<FieldId, StoredBinding>(save.before!.bindings)
    for (const [field, { mark: archived, inputs: read }] of save.marks) {
      bindings.set(field, { ...bindings.get(field)!, archived })
      inputs.set(field, read)
    }
    save.shape = { values: new Map(values), bindings, inputs, problems: [] }
  },
}

/**
 * An archived value keeps what its bundle shows, so a save that changes what it read is refused, including one of a child
 * that changes a roll-up. Changes of the records to which its references lead leave it as it is.
 * @throws AlmanacError `record.archived`
 */
export function requireUnreadByArchived(save: Save): void {
  const { context, object, ids, before, values, shape } = save
  if (before === null || !isRequested(save) || (save.recompute && !save.keepsArchived)) return
  for (const [field, { archived }] of shape!.bindings) {
    if (archived === undefined) continue
    const changed = archived.own.find((id) => (values.get(id) ?? null) !== (before.values.get(id) ?? null))
    const name = fieldKey(ids, field)
    // Nobody sees the value of a formula that the object does not store now.
    const isShown = name !== undefined && save.programs.field(name)?.formula?.stored === true
    if (changed === undefined || !isShown) continue
    const nameOf = (id: FieldId | undefined): string | null => {
      const key = id === undefined ? undefined : fieldKey(ids, id)
      return key !== undefined && context.access.canReadField(object, key) ? key : null
    }
    throw archivedRecord(object, {
      field: nameOf(changed),
      archived: nameOf(field),
      dates: archived.dates.flatMap((date) => nameOf(date.field) ?? []),
    })
  }
}

/** Whether a user has requested the save, or the one that led to it. What a job follows is saved already. */
function isRequested({ isChecked, childSave, erased }: Save): boolean {
  return erased === null && (isChecked || (childSave !== null && isRequested(childSave)))
}

/** The bindings that a save computes with: an erasure computes again what is archived and read what it erases. */
export function bindingsToKeep({ before, erased, values }: Save): ReadonlyMap<FieldId, StoredBinding> {
  const bindings: ReadonlyMap<FieldId, StoredBinding> = before?.bindings ?? new Map<FieldId, StoredBinding>()
  if (before === null || erased === null) return bindings
  const isChanged = (id: FieldId): boolean => (values.get(id) ?? null) !== (before.values.get(id) ?? null)
  // A record that an erasure reaches reads the erased one, maybe through another record or a roll-up.
  const isReached = erased.size === 0
  return new Map(
    [...bindings].filter(
      ([, { archived }]) => archived === undefined || !(isReached || archived.own.some(isChanged)),
    ),
  )
}
