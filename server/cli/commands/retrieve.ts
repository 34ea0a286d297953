// almanac retrieve: writes the components of a generation as files, byte for byte the same each time.
import { textOption, integerOption } from '../options.ts'
import { UsageError } from '../fail.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const out = textOption(call, 'out')
  if (out === undefined) throw new UsageError('Specify the directory to write to: --out <dir>.')
  const generation = integerOption(call, 'generation')
  const org = await call.org()
  const result = await org.retrieve(out, generation, (done) => {
    if (done % 1000 === 0) terminal.progress(`${countText(done, 'component')} …`)
  })
  await terminal.data({ ...result, out })
  terminal.print(
    `Generation ${result.generation} is in ${out}: ${countText(result.written, 'file')} written, ${result.unchanged.toLocaleString('en')} unchanged, ${result.removed.toLocaleString('en')} removed.`,
  )
}
