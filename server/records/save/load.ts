// Finds the record that a save changes, and checks the rights of the user and its version.
import { requireChange } from './authorise.ts'
import { recordNotFound, staleVersion } from './record-errors.ts'
import type { Phase } from './save.ts'

/**
 * A parent that does not exist has no roll-ups to follow: its reference came back to the object after the parent was deleted.
 * @throws AlmanacError `record.not_found`, `access.denied`, `conflict.stale_version`
 */
export const loadTo = (right: 'update' | 'delete'): Phase => ({
  name: 'load',
  async run(save) {
    const { context, objectId, object, id, version, childSave } = save
    const [before] = await context.tx.get(objectId, [id])
    save.isGone = before === undefined && childSave !== null
    if (save.isGone) return
    if (before === undefined) throw recordNotFound(object, id)
    await requireChange(save, before, right)
    if (version !== null && before.version !== version)
      throw staleVersion(object, id, version, before.version)
    save.before = before
    if (!context.found.has(id)) context.found.set(id, before)
    save.values = new Map(before.values)
  },
})
