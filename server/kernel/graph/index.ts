// The reference graph: where-used, safe delete, unknown references, renames.
export { requireMember } from './require-member.ts'
export { emptyKeyFindings, type LostKey } from './lost-keys.ts'
export { buildGraph, updateGraph, type ReferenceGraph } from './reference-graph.ts'
export { referencesOf, type GraphReference } from './references.ts'
export {
  planRename,
  applyRenames,
  type ComponentRename,
  type RenamedPlace,
  type RenamePlan,
} from './rename.ts'
export { retiredMemberFindings, type ValueSetChange } from './retired-members.ts'
export { deletionFindings } from './safe-delete.ts'
export { unknownReferences, type UnknownOptions } from './unknown-references.ts'
export { entryCount, whereUsed, type Usage, type WhereUsedOptions } from './where-used.ts'
