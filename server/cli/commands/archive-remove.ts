// almanac archive remove: removes an archive with its evidence.
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [id = ''] = call.args
  await (await call.org()).records.removeArchive(id)
  await terminal.data({ archive: id })
  terminal.print(`The archive ${id} is removed. Its values stay as they are.`)
}
