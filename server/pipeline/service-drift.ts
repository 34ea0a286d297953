// What a new description of an external service changes for those who call its operations
// (docs/reference/external-services.md).
import { afterOf, type Change, type Sha256 } from '#kernel/change/index.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { componentId, type ComponentId } from '#kernel/components/component.ts'
import type { Finding, RelatedPlace } from '#kernel/errors/finding.ts'
import { whereUsed, type ReferenceGraph } from '#kernel/graph/index.ts'
import { changeInWords, findDrift, type DriftSide, type OperationDrift } from '../external-services/index.ts'
import type { DescriptionReader } from '../ports/descriptions.ts'

type Service = ComponentOf<'external_service'>

export interface ServiceDrift {
  id: ComponentId
  service: Service
  /** Hashes. */
  before: string
  after: string
  /** What differs for callers; without what the author has selected or deselected. */
  operations: readonly OperationDrift[]
}

/** Returns each service of a change list that gets a different description. */
export function driftOf(
  descriptions: DescriptionReader,
  changes: readonly Change[],
  sha256: Sha256,
): ServiceDrift[] {
  return changes.flatMap((change) => {
    const service = afterOf(change)
    if (service?.type !== 'external_service' || change.kind === 'added') return []
    const before = change.before as Service
    const [was, is] = [before.body.spec.hash, service.body.spec.hash]
    if (was === undefined || is === undefined || was === is) return []
    const sides = [sideOf(descriptions, was), sideOf(descriptions, is)] as const
    if (sides[0] === null || sides[1] === null) return []
    const operations = findDrift(sides[0], sides[1], sha256).filter((each) =>
      isUnasked(each, before, service),
    )
    return [{ id: change.id, service, before: was, after: is, operations }]
  })
}

/** An operation that a list of operations adds or leaves out is what its author wants. */
function isUnasked({ kind }: OperationDrift, before: Service, after: Service): boolean {
  if (kind === 'added') return false
  return kind === 'changed' || (before.body.operations === undefined && after.body.operations === undefined)
}

function sideOf(descriptions: DescriptionReader, hash: string): DriftSide | null {
  const [facts, text] = [descriptions.facts(hash), descriptions.bundleText(hash)]
  if (facts === undefined || text === undefined) return null
  return { bundle: JSON.parse(text) as DriftSide['bundle'], operations: facts.operations }
}

export interface DriftContext {
  /** Of the active generation and of the candidate. */
  baseGraph: ReferenceGraph
  graph: ReferenceGraph
  /** Older content is restored on purpose. */
  isRestore: boolean
}

const mostOperations = 50
const mostChanges = 5

export function driftFindings(drifts: readonly ServiceDrift[], context: DriftContext): Finding[] {
  return drifts.flatMap((drift) => {
    if (drift.operations.length === 0) return [unchangedFinding(drift)]
    const shown = drift.operations.slice(0, mostOperations).map((each) => driftFinding(drift, each, context))
    const left = drift.operations.length - shown.length
    if (left === 0) return shown
    const message = `${left} more operations of ${drift.service.key} change.`
    return [...shown, { ...shown[0]!, message, related: [], facts: {} }]
  })
}

function unchangedFinding({ id, service }: ServiceDrift): Finding {
  const message = `The description of ${service.key} changed, but no signature of an operation did.`
  const place = { component: id, path: '/body/spec/hash' }
  return { severity: 'info', code: 'service.changed', ...place, message, related: [] }
}

function driftFinding(
  { id, service }: ServiceDrift,
  operation: OperationDrift,
  { baseGraph, graph, isRestore }: DriftContext,
): Finding {
  const { key, body } = service
  const { name } = operation
  const users = usersOf(key, name, graph, baseGraph)
  const [before, after] = [
    'before' in operation ? operation.before : null,
    'after' in operation ? operation.after : null,
  ]
  const what = operation.kind === 'changed' ? changeOf(operation) : `${before} no longer exists`
  const names = [...new Set(users.map(({ component }) => component))]
  const used = names.length === 0 ? 'Nothing uses it.' : `It is used by ${names.join(', ')}.`
  const severity = isRestore || body.onSpecDrift === 'warn' ? 'warning' : 'error'
  const way =
    severity === 'warning'
      ? ''
      : ' Adapt what uses it and set onSpecDrift to "warn", or keep the description.'
  return {
    ...{ severity, code: 'service.drift', component: id, path: '/body/spec/hash' },
    message: `The operation ${key}.${name} changes: ${what}. ${used}${way}`,
    related: users,
    facts: { operation: name, before, after },
  }
}

/** Signatures in words are the same if only a schema below their names has changed. */
function changeOf(operation: ChangedOperation): string {
  const { before, after } = operation
  const words = wordsOf(operation)
  return before === after ? `${after}, with ${words}` : `${before} becomes ${after} (${words})`
}

type ChangedOperation = Extract<OperationDrift, { kind: 'changed' }>

/** What changes in each operation, by name, in words. */
export function signatureChanges(operations: readonly OperationDrift[]): Record<string, string[]> {
  return Object.fromEntries(
    operations.flatMap((each) =>
      each.kind === 'changed'
        ? [[each.name, [...each.changes.map(changeInWords), ...(each.more ? ['and more'] : [])]]]
        : [],
    ),
  )
}

function wordsOf({ changes, more }: ChangedOperation): string {
  const shown = changes.slice(0, mostChanges).map(changeInWords)
  const rest = changes.length > mostChanges || more ? ['and more'] : []
  return [...shown, ...rest].join('; ')
}

/** In the candidate; those of the base are named if the same list removes them. */
function usersOf(
  service: string,
  operation: string,
  graph: ReferenceGraph,
  baseGraph: ReferenceGraph,
): RelatedPlace[] {
  const id = componentId('external_service', service)
  const now = whereUsed(graph, id, operation)
  const uses = now.length > 0 ? now : whereUsed(baseGraph, id, operation)
  return uses.map(({ from, path }) => ({ component: from, path }))
}
