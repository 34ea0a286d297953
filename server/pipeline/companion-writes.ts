// Calls the writer of rows that belong to an apply or to saved drafts.
import type { CompanionWrite } from '../ports/companion-writes.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import type { PipelineDeps } from './deps.ts'

export function writeCompanion(
  { companionWriters = {} }: Pick<PipelineDeps, 'companionWriters'>,
  transactor: OrgTransactor,
  { writer, data }: CompanionWrite,
): void {
  const write = companionWriters[writer]
  if (write === undefined) throw new Error(`No engine writes "${writer}".`)
  write(transactor, data)
}
