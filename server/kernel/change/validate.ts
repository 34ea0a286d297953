// Validates a candidate: runs every rule over everything that the changes touch, and reports all findings.
import { appendAll } from '../append-all.ts'
import type { Component, ComponentOf } from '../components/body-types.ts'
import { componentId, idOf, splitId, type ComponentId } from '../components/component.ts'
import { frozenRemoval } from '../components/config-entry/index.ts'
import { coverageFindings, missingOrgEntryFinding } from '../components/config-set/coverage.ts'
import type { PrincipalDirectory, Rule, RuleContext } from '../components/define.ts'
import { expressionSlots } from '../components/expression-slots.ts'
import { roomOf } from '../components/registry.ts'
import type { ComponentView } from '../components/view.ts'
import type { CivilDate } from '../dates/civil-date.ts'
import type { Finding } from '../errors/finding.ts'
import {
  defaultCycles,
  expressionFindings,
  formulaCycles,
  functionCycles,
  libraryOf,
  rollupFindings,
  stepCallFindings,
  type Library,
} from '../expr/index.ts'
import {
  buildGraph,
  deletionFindings,
  emptyKeyFindings,
  retiredMemberFindings,
  unknownReferences,
  updateGraph,
  type LostKey,
  type ReferenceGraph,
  type ValueSetChange,
} from '../graph/index.ts'
import { automationCycles } from './automation-cycles.ts'
import type { Candidate } from './candidate.ts'
import { afterOf, beforeOf, type Change } from './change.ts'
import { findAffected, type AffectedComponents } from './affected-components.ts'
import { businessKeyOf } from './overlay-view.ts'
import {
  dropConsequentialFindings,
  partialEntryFindings,
  partialComponentFindings,
  type InvalidComponent,
} from './invalid-components.ts'

export interface ValidationContext {
  today: CivilDate
  principals: PrincipalDirectory
  rationale?: string
  formerRationales?: RuleContext['formerRationales']
  /** Components that could not be read completely; they are checked as far as possible. */
  invalidComponents?: readonly InvalidComponent[]
  /** Graph of the base; built when absent. */
  graph?: ReferenceGraph
}

export interface ValidationResult {
  findings: Finding[]
  /** Graph of the candidate, for the next validation and for where-used. */
  graph: ReferenceGraph
}

/**
 * Returns the findings of a candidate over its base (null for the first generation of an org). The base is assumed valid:
 * only what the changes touch is checked. Findings are ordered by component, then by rule.
 */
export function validateCandidate(
  candidate: Candidate,
  base: ComponentView | null,
  context: ValidationContext,
): ValidationResult {
  const { view, changes } = candidate
  const graph = graphOf(candidate, base, context)
  const touched = findAffected(changes, view, graph)
  const ruleContext: RuleContext = {
    view,
    base: base === null ? null : candidate.renamedBase,
    today: context.today,
    principals: context.principals,
    rationale: context.rationale ?? '',
    formerRationales: context.formerRationales ?? (() => []),
  }
  const removed = removedBy(changes)
  const findings = [
    ...candidate.findings,
    ...ownFindings(touched.components, ruleContext).filter(
      (found) => !isExplainedByRemoval(found, removed, graph),
    ),
    ...coverageOf(touched, view),
    ...unknownReferences(view, graph, { of: touched.components, removed }),
    ...deletionFindings(removed, view, graph),
    ...emptyKeyFindings(lostKeys(changes), view, graph),
    ...retiredMemberFindings(changes.flatMap(valueSetChange), graph),
    ...removedFromFrozen(changes, ruleContext),
    ...readWithoutOrg(touched, view, graph),
    ...cycles(changes, view),
  ]
  const unsound = context.invalidComponents ?? []
  const causes = dropConsequentialFindings(
    findings,
    partialEntryFindings(unsound, ruleContext),
    unsound,
    graph,
  )
  return { findings: inOrder([...causes, ...partialComponentFindings(unsound, ruleContext, graph)]), graph }
}

/** Validates a whole view as if everything were new: for opening an org, and for `validate` of an active one. */
export function validateView(view: ComponentView, context: ValidationContext): ValidationResult {
  const changes: Change[] = [...view.all()].map((after) => ({
    kind: 'added',
    id: idOf(after),
    after,
    hints: {},
  }))
  const graph = context.graph ?? buildGraph(view)
  // The base is the view itself, so that rules over changes (frozen, rationale) find no change.
  const touched = findAffected(changes, view, graph)
  const ruleContext = {
    view,
    base: view,
    today: context.today,
    principals: context.principals,
    rationale: '',
    formerRationales: () => [],
  }
  const findings = [
    ...ownFindings(touched.components, ruleContext),
    ...coverageOf(touched, view),
    ...unknownReferences(view, graph),
    ...readWithoutOrg(touched, view, graph),
    ...cycles(changes, view),
  ]
  return { findings: inOrder(findings), graph }
}

function graphOf(
  { view, changes }: Candidate,
  base: ComponentView | null,
  { graph }: ValidationContext,
): ReferenceGraph {
  if (base === null) return buildGraph(view)
  const ids = changes.flatMap((change) =>
    change.kind === 'renamed' ? [change.id, change.from] : [change.id],
  )
  return updateGraph(graph ?? buildGraph(base), ids, view)
}

function removedBy(changes: readonly Change[]): Set<ComponentId> {
  const removed = new Set<ComponentId>()
  for (const change of changes) {
    if (change.kind === 'removed') removed.add(change.id)
    if (change.kind === 'renamed') removed.add(change.from)
  }
  for (const change of changes) if (change.kind !== 'removed') removed.delete(change.id)
  return removed
}

/** Returns the business keys that entries lose; the set may have a different key now. */
function lostKeys(changes: readonly Change[]): LostKey[] {
  const sets = new Map<string, string>()
  for (const change of changes)
    if (change.kind === 'renamed' && change.after.type === 'config_set')
      sets.set(change.before.key, change.after.key)
  return changes.flatMap((change): LostKey[] => {
    const [before, after] = [beforeOf(change), afterOf(change)]
    if (before?.type !== 'config_entry' || before.body.key === undefined) return []
    const { set, key } = before.body
    const left = { entry: change.id, set: sets.get(set) ?? set, key }
    if (after?.type !== 'config_entry') return [{ ...left, path: '' }]
    return after.body.key === key && after.body.set === left.set ? [] : [{ ...left, path: '/body/key' }]
  })
}

function valueSetChange(change: Change): ValueSetChange[] {
  const [before, after] = [beforeOf(change), afterOf(change)]
  return before?.type === 'value_set' && after?.type === 'value_set' ? [{ before, after }] : []
}

/** Reports whether a removal causes the finding: safe-delete then reports the removed component with all its referrers. */
function isExplainedByRemoval(
  finding: Finding,
  removed: ReadonlySet<ComponentId>,
  graph: ReferenceGraph,
): boolean {
  if (removed.size === 0) return false
  const component = finding.component as ComponentId
  if (finding.code === 'config.set_missing') {
    const { key } = splitId(component)
    const set = key.slice(0, key.indexOf('.'))
    return removed.has(`config_set/${set}`) || removed.has(`feature_flag/${set}`)
  }
  return (graph.outgoing.get(component) ?? []).some(
    ({ to, path }) =>
      removed.has(to) && finding.path.startsWith(path) && finding.message.includes(`"${splitId(to).key}"`),
  )
}

/** Returns the findings of rules, expressions and references of some components over the view of the context. */
export function componentFindings(
  ids: readonly ComponentId[],
  context: RuleContext,
  graph: ReferenceGraph,
): Finding[] {
  return [...ownFindings(ids, context), ...unknownReferences(context.view, graph, { of: ids })]
}

function ownFindings(judged: Iterable<ComponentId>, context: RuleContext): Finding[] {
  const findings: Finding[] = []
  const library = libraryOf(context.view)
  for (const id of judged) {
    const { type, key } = splitId(id)
    const component = context.view.get(type, key) as Component | undefined
    if (component !== undefined) validateComponent(component, context, library, findings)
  }
  return findings
}

function validateComponent(
  component: Component,
  context: RuleContext,
  library: Library,
  findings: Finding[],
): void {
  for (const rule of roomOf(component.type).rules as readonly Rule<never>[]) {
    const found = rule(component as never, context)
    if (found.length > 0) appendAll(findings, found)
  }
  if (component.type === 'config_entry') return
  appendAll(findings, expressionFindings(idOf(component), expressionSlots(component), context.view, library))
  if (component.type === 'object') appendAll(findings, rollupFindings(component, library))
  if (component.type === 'app') appendAll(findings, stepCallFindings(component, library))
}

function coverageOf({ coverage }: AffectedComponents, view: ComponentView): Finding[] {
  const findings: Finding[] = []
  for (const [key, businessKeys] of coverage) {
    const target = view.get('config_set', key) ?? view.get('feature_flag', key)
    if (target === undefined) continue
    if (businessKeys === null) {
      for (const [businessKey, entries] of entriesByKey(view, key))
        appendAll(findings, coverageFindings(target, businessKey, entries, view))
    } else
      for (const businessKey of businessKeys)
        appendAll(
          findings,
          coverageFindings(target, businessKey, [...view.entriesAt(key, businessKey)], view),
        )
  }
  return findings
}

function entriesByKey(view: ComponentView, set: string): Map<string | null, ComponentOf<'config_entry'>[]> {
  const groups = new Map<string | null, ComponentOf<'config_entry'>[]>()
  for (const entry of view.entriesOf(set)) {
    const key = businessKeyOf(entry)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  return groups
}

function removedFromFrozen(changes: readonly Change[], context: RuleContext): Finding[] {
  return changes.flatMap((change) => {
    const before = beforeOf(change)
    if (before?.type !== 'config_entry') return []
    return change.kind === 'removed' || movedAway(change, before, context)
      ? frozenRemoval(before, context)
      : []
  })
}

/** Reports whether an entry moves to another set or flag, other than by a rename. */
function movedAway(change: Change, before: ComponentOf<'config_entry'>, { view }: RuleContext): boolean {
  const after = afterOf(change)
  if (after?.type !== 'config_entry' || after.body.set === before.body.set) return false
  return view.has('feature_flag', before.body.set)
}

/** Returns the sets that logic reads, among those whose entries or readers this change list touches. */
function readWithoutOrg(
  { components, coverage }: AffectedComponents,
  view: ComponentView,
  graph: ReferenceGraph,
): Finding[] {
  const sets = new Set(coverage.keys())
  for (const id of components)
    for (const { to, origin } of graph.outgoing.get(id) ?? [])
      if (origin === 'expression' && to.startsWith('config_set/')) sets.add(splitId(to).key)
  return [...sets].flatMap((key) => {
    const set = view.get('config_set', key)
    if (set === undefined || !isRead(componentId('config_set', key), graph)) return []
    const finding = missingOrgEntryFinding(set, view.entriesOf(key))
    return finding === null ? [] : [finding]
  })
}

function isRead(id: ComponentId, graph: ReferenceGraph): boolean {
  for (const from of graph.incoming.get(id) ?? [])
    if (graph.outgoing.get(from)?.some(({ to, origin }) => to === id && origin === 'expression') === true)
      return true
  return false
}

function cycles(changes: readonly Change[], view: ComponentView): Finding[] {
  const types = new Set(changes.map(({ id }) => splitId(id).type))
  const problems = [
    ...(types.has('calc_function') ? functionCycles(view) : []),
    ...(types.has('object') ? [...formulaCycles(view), ...defaultCycles(view)] : []),
  ]
  const findings = problems.map(({ code, component, path, message }): Finding => {
    return { severity: 'error', code, component, path, message, related: [] }
  })
  return types.has('automation') ? [...findings, ...automationCycles(view)] : findings
}

/**
 * Keeps one finding per place and code, in the order of components; the order of rules within a component stays. If a
 * rule of a room reports a place, the general "does not exist" is not repeated.
 */
function inOrder(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  const placesWithRuleFindings = new Set<string>()
  for (const { code, component, path } of findings)
    if (code !== 'reference.unknown') placesWithRuleFindings.add(`${component}\n${path}`)
  const once = findings.filter(({ code, component, path, message }) => {
    const place = `${component}\n${path}`
    if (code === 'reference.unknown' && placesWithRuleFindings.has(place)) return false
    const key = `${place}\n${code}\n${message}`
    return seen.has(key) ? false : seen.add(key)
  })
  return once.sort((a, b) => (a.component < b.component ? -1 : a.component > b.component ? 1 : 0))
}
