// almanac archive export: writes the bundles of an archive to a file, one a line.
import { encodeChunks } from '../../export/index.ts'
import { writeChunks } from '../../files/index.ts'
import { UsageError } from '../fail.ts'
import { textOption } from '../options.ts'
import { countText } from '../terminal.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [id = ''] = call.args
  const out = textOption(call, 'out')
  if (out === undefined) throw new UsageError('Specify the file to write to: --out <file>.')
  const bundles = await (await call.org()).records.archivedEvidence(id)
  let count = 0
  const counted = async function* (): AsyncIterable<string> {
    for await (const piece of bundles) {
      count += piece.split('\n').length - 1
      yield piece
    }
  }
  await writeChunks(out, encodeChunks(counted()))
  await terminal.data({ archive: id, out, bundles: count })
  terminal.print(
    `${countText(count, 'bundle is', 'bundles are')} in ${out}. Verify ${count === 1 ? 'it' : 'them'} without an org with "almanac verify ${out}".`,
  )
}
