// The reference graph: where-used, safe delete, unknown references, renames (specification 2.7.9, 7).
export { demandMember } from './demand-member.ts'
export { emptyKeyFindings, type KeyLeft } from './keys-left-empty.ts'
export { buildGraph, updateGraph, type ReferenceGraph } from './reference-graph.ts'
export { referencesOf, type GraphReference } from './references.ts'
export {
  planRename,
  withRenames,
  type ComponentRename,
  type RenamedPlace,
  type RenamePlan,
} from './rename.ts'
export { memberFindings, type ValueSetChange } from './members-left.ts'
export { deletionFindings } from './safe-delete.ts'
export { unknownReferences, type UnknownOptions } from './unknown-references.ts'
export { entryCount, whereUsed, type Usage, type WhereUsedOptions } from './where-used.ts'
