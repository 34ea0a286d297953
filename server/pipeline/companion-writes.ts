// Calls the writer of rows that belong to an apply or to saved drafts.
import type { ComponentId } from '#kernel/components/component.ts'
import type { CompanionWrite, CompanionWriters } from '../ports/companion-writes.ts'
import type { OrgTransactor } from '../ports/org-store.ts'

/** Returns the drafts that it discarded. */
export function writeCompanion(
  { companionWriters = {} }: { companionWriters?: CompanionWriters | undefined },
  transactor: OrgTransactor,
  { writer, data }: CompanionWrite,
): readonly ComponentId[] {
  const write = companionWriters[writer]
  if (write === undefined) throw new Error(`No engine writes "${writer}".`)
  return write(transactor, data)
}
