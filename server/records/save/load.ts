// Finds the record that a save changes, and checks its version.
import { recordNotFound, staleVersion } from './record-errors.ts'
import type { Phase } from './save.ts'

/** @throws AlmanacError `record.not_found`, `conflict.stale_version` */
export const load: Phase = {
  name: 'load',
  async run(save) {
    const { context, objectId, object, id, version } = save
    const [before] = await context.tx.get(objectId, [id])
    if (before === undefined) throw recordNotFound(object, id)
    if (version !== null && before.version !== version)
      throw staleVersion(object, id, version, before.version)
    save.before = before
    if (!context.found.has(id)) context.found.set(id, before)
    save.values = new Map(before.values)
  },
}
