// almanac records evidence: writes the signed bundle of a stored value, byte for byte as `verify` expects it.
import { writeFileAtomic } from '../../files/index.ts'
import { textOption } from '../options.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { args, terminal } = call
  const [object = '', id = '', field = ''] = args
  const bundle = await (await call.org()).records.evidence(object, id, field)
  const out = textOption(call, 'out')
  if (out === undefined) return terminal.raw(bundle)
  writeFileAtomic(out, bundle)
  await terminal.data({ object, id, field, out, bytes: Buffer.byteLength(bundle) })
  terminal.print(
    `The evidence for ${object}.${field} is in ${out}. Verify it without an org with "almanac verify ${out}".`,
  )
}
