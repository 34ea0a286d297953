// almanac evidence: writes the signed bundle of a stored result, byte for byte as `verify` expects it.
import { writeFileAtomic } from '../../files/index.ts'
import { textOption } from '../options.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const bundle = await (await call.org()).evidence(call.args[0]!)
  const out = textOption(call, 'out')
  if (out === undefined) return terminal.raw(bundle)
  writeFileAtomic(out, bundle)
  await terminal.data({ result: call.args[0], out, bytes: Buffer.byteLength(bundle) })
  terminal.print(
    `The evidence for ${call.args[0]} is in ${out}. Verify it without an org with "almanac verify ${out}".`,
  )
}
