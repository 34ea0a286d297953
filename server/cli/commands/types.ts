// almanac types: writes TypeScript declarations of all sets, flags and external services.
import { writeFileAtomic } from '../../files/index.ts'
import { textOption } from '../options.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const declarations = await (await call.org()).types()
  const out = textOption(call, 'out')
  if (out !== undefined) writeFileAtomic(out, declarations)
  if (terminal.json) await terminal.data(out === undefined ? { declarations } : { out })
  else if (out === undefined) terminal.raw(declarations)
  else terminal.print(`The declarations are in ${out}.`)
}
