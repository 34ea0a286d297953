// Clears references that came back to an object, if the record that they name was deleted in the meantime.
import { isComputed } from '#kernel/components/object/is-computed.ts'
import type { Phase } from './save.ts'

/**
 * Before SHAPE of a fill, so that formulas read nothing along them. A required reference keeps its value: a record without
 * it could not be changed until it is entered. So does a record with archived values, which may have read it.
 */
export const clearReferences: Phase = {
  name: 'enter',
  async run({ context, programs, ids, before, dirty, values }) {
    if ([...before!.bindings.values()].some(({ archived }) => archived !== undefined)) return
    const { view, names } = context.present
    for (const field of programs.body.fields) {
      const id = ids.get(field.key)!
      const value = values.get(id)
      if (!dirty.has(id) || isComputed(field) || field.required || typeof value !== 'string') continue
      const target = names.objectId(field.references!)
      const isLocal = view.get('object', field.references!)?.body.storage === 'local'
      if (target === undefined || !isLocal) continue
      const [found] = await context.tx.get(target, [value])
      if (found === undefined) values.set(id, null)
    }
  },
}
