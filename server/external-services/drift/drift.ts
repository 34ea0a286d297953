// Drift: the operations that differ between two imports of one description, with what changed in each.
import type { Sha256 } from '#kernel/change/sha256.ts'
import type { ImportedDescription, ImportedOperation } from '../import-description.ts'
import { operationStructure } from '../structure/operation-structure.ts'
import { SchemaGraph } from '../structure/schema-graph.ts'
import { StructureDigests } from '../structure/structure-digests.ts'
import type { Method } from '../document/grammar.ts'
import { compareOperations } from './compare-operations.ts'
import { compare, mostChanges, type Side, type StructureChange } from './compare-schemas.ts'

export type OperationDrift =
  | { kind: 'added'; name: string; after: string }
  | { kind: 'removed'; name: string; before: string }
  /** `before` and `after` are the signatures in words. */
  | {
      kind: 'changed'
      name: string
      before: string
      after: string
      changes: readonly StructureChange[]
      more: boolean
    }

/** What drift needs of an import; a carried bundle gives it again. */
export type DriftSide = Pick<ImportedDescription, 'bundle' | 'operations'>

/** Returns the drift by name of operation; empty if every generated signature is the same. */
export function findDrift(before: DriftSide, after: DriftSide, sha256: Sha256): OperationDrift[] {
  const [was, is] = [byName(before), byName(after)]
  const sides = { before: sideOf(before, sha256), after: sideOf(after, sha256) }
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((name): OperationDrift[] => {
    const [old, new_] = [was.get(name), is.get(name)]
    if (old === undefined) return [{ kind: 'added', name, after: new_!.words }]
    if (new_ === undefined) return [{ kind: 'removed', name, before: old.words }]
    if (old.signature === new_.signature) return []
    const comparison = compare(sides.before, sides.after)
    compareOperations(structureOf(before, old), structureOf(after, new_), comparison)
    const { changes } = comparison
    if (changes.length === 0) return []
    const [shown, more] = [changes.slice(0, mostChanges), changes.length > mostChanges]
    return [{ kind: 'changed', name, before: old.words, after: new_.words, changes: shown, more }]
  })
}

const byName = ({ operations }: DriftSide): Map<string, ImportedOperation> =>
  new Map(operations.map((operation) => [operation.name, operation]))

function sideOf({ bundle }: DriftSide, sha256: Sha256): Side {
  const graph = new SchemaGraph(bundle)
  return { graph, digests: new StructureDigests(graph, sha256) }
}

const structureOf = ({ bundle }: DriftSide, { method, path }: ImportedOperation) =>
  operationStructure(bundle, { method: method.toLowerCase() as Method, path })

/** One change for people: `request body /amount: type number → string`. */
export function changeInWords({ place, what, before, after }: StructureChange): string {
  if (before === undefined) return `${place}: ${what} added${after === undefined ? '' : `: ${after}`}`
  if (after === undefined) return `${place}: ${what} removed: ${before}`
  return `${place}: ${what} ${before} → ${after}`
}
