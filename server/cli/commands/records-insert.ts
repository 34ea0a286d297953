// almanac records insert: adds one record, or one row of a virtual object.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { assignments } from '../record-values.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [object = '', ...texts] = call.args
  const { records } = await call.org()
  const described = await records.describe(object)
  const fields = assignments(texts, described)
  const [saved] =
    described.remote === null
      ? await records.save(object, [{ op: 'insert', fields }])
      : await records.saveRows(object, [{ fields }])
  if (!saved!.ok) throw new AlmanacError(saved!.code as ErrorCode, saved!.message)
  await terminal.data({ id: saved!.id })
  terminal.print(saved!.id)
}
