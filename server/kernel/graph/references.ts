// Finds the outgoing edges of one component: references of its room, reads of its expressions, an entry's set.
import type { Component } from '../components/body-types.ts'
import { componentId, type ComponentId } from '../components/component.ts'
import { entryTarget, valueReferences } from '../components/config-entry/index.ts'
import type { Reference, Room } from '../components/define.ts'
import type { ExpressionSlot } from '../components/expression-slot.ts'
import { expressionSlots } from '../components/expression-slots.ts'
import { roomOf } from '../components/registry.ts'
import type { ComponentView } from '../components/view.ts'
import { readsOfExpression } from '../expr/index.ts'

export interface GraphReference extends Reference {
  /** The origin of the edge: the body itself, an expression in it, or a value of an entry. */
  origin: 'structure' | 'expression' | 'value'
}

/** Returns all edges of a component over its view, including names that do not exist. */
export function referencesOf(component: Component, view: ComponentView): GraphReference[] {
  if (component.type === 'config_entry') return entryReferencesOf(component, view)
  const room = roomFor(component)
  const structure = room
    .references(component as never, view)
    .map((reference) => ({ ...reference, origin: 'structure' as const }))
  const expressions = expressionSlots(component).flatMap((slot) => expressionReferences(slot, view))
  return [...structure, ...expressions]
}

function entryReferencesOf(
  entry: Extract<Component, { type: 'config_entry' }>,
  view: ComponentView,
): GraphReference[] {
  const target = entryTarget(view, entry.body.set)
  const structure = roomFor(entry)
    .references(entry as never)
    .map((reference) => ({
      ...reference,
      to: reference.path === '/body/set' ? target : reference.to,
      origin: 'structure' as const,
    }))
  const set = view.get('config_set', entry.body.set)
  const values = set === undefined ? [] : valueReferences(entry, set, view)
  return [...structure, ...values.map((reference) => ({ ...reference, origin: 'value' as const }))]
}

function expressionReferences({ path, source, site }: ExpressionSlot, view: ComponentView): GraphReference[] {
  const reads = readsOfExpression(source, site, view)
  const references: GraphReference[] = []
  const add = (to: ComponentId, member?: string): void => {
    references.push(
      member === undefined ? { path, to, origin: 'expression' } : { path, to, member, origin: 'expression' },
    )
  }
  for (const { set, fields } of reads.sets) {
    const to = componentId('config_set', set)
    if (fields.length === 0) add(to)
    for (const field of fields) add(to, field)
  }
  for (const flag of reads.flags) add(componentId('feature_flag', flag))
  for (const name of reads.functions) add(componentId('calc_function', name))
  for (const { object, field } of reads.fields) add(componentId('object', object), field)
  for (const credential of reads.credentials) add(componentId('named_credential', credential))
  return references
}

function roomFor(component: Component): Room<never> {
  return roomOf(component.type) as unknown as Room<never>
}
