// Parses JSON to a component: envelope, hints for one apply, body. Each fault is a finding.
import type { z } from 'zod'
import type { Finding } from '../errors/finding.ts'
import type { FindingCode } from '../errors/finding-codes.ts'
import { didYouMean } from '../errors/suggest.ts'
import type { Component, ComponentOf } from './body-types.ts'
import {
  componentTypes,
  explainKey,
  isComponentType,
  type ApplyHints,
  type ComponentId,
  type ComponentType,
} from './component.ts'
import { issueFindings } from './issue-findings.ts'
import { findJsonIssues } from './json-issues.ts'
import { longListIssues } from './long-lists.ts'
import { limitFindings, mostFindings } from './most-findings.ts'
import { parsePartialComponent, type PartialComponent } from './partial-component.ts'
import { parsePartialEntry } from './partial-entry.ts'
import { pointer } from './pointer.ts'
import { roomOf } from './registry.ts'
import { valueAt } from './schema-lookup.ts'

export interface ParsedComponent {
  /** Null if a finding is an error. Parsed, but not yet normalised: see the room. */
  component: Component | null
  hints: ApplyHints
  findings: Finding[]
  /** Which component it is, if only its id is certain, with the part of an entry that rules can still check. */
  invalidComponent?: {
    id: ComponentId
    partialEntry: ComponentOf<'config_entry'> | null
    /** The same for a component of a different type. */
    partialComponent?: PartialComponent | null
    faults: string[]
  }
}

const envelopeProperties = ['type', 'key', 'label', 'body', 'breaking', 'renamedFrom']

/**
 * Parses one component of a file, a request or a draft. `at` identifies it in findings, for example by its file, if it
 * has no valid id.
 */
export function parseComponent(json: unknown, at = ''): ParsedComponent {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    const message = 'A component is a JSON object with "type", "key", "label" and "body".'
    return { component: null, hints: {}, findings: [finding(at, '', 'envelope.invalid', message)] }
  }
  const envelope = json as Record<string, unknown>
  const { type, key, label } = envelope
  const id = typeof type === 'string' && typeof key === 'string' ? `${type}/${key}` : at
  const { faults, tooDeep } = findJsonIssues(envelope)
  const findings = faults.map(({ path, code, message }) => finding(id, path, code, message))
  if (tooDeep) return { component: null, hints: {}, findings }
  findings.push(...envelopeFindings(envelope, id))
  const hints = hintsOf(envelope, id, findings)
  if (typeof type !== 'string' || !isComponentType(type))
    return { component: null, hints, findings: limitFindings(findings, id) }

  const body = parseBody({ type, key: typeof key === 'string' ? key : '' }, envelope['body'], id, findings)
  const listed = limitFindings(findings, id)
  if (findings.length > 0)
    return { component: null, hints, findings: listed, ...invalidComponentOf(envelope, type, listed) }
  return { component: { body, key, label, type } as Component, hints, findings }
}

/** The usable part of a component that has findings; nothing if its id is not certain. */
function invalidComponentOf(
  envelope: Record<string, unknown>,
  type: ComponentType,
  findings: readonly Finding[],
): Pick<ParsedComponent, 'invalidComponent'> {
  const { key } = envelope
  if (typeof key !== 'string' || explainKey(type === 'config_entry' ? type : 'object', key) !== null)
    return {}
  const faults = findings.map(({ path }) => path)
  const id: ComponentId = `${type}/${key}`
  // Without the place of every fault, no part of it is certain.
  if (findings.length > mostFindings) return { invalidComponent: { id, partialEntry: null, faults: [''] } }
  return type === 'config_entry'
    ? { invalidComponent: { id, partialEntry: parsePartialEntry(envelope, faults), faults } }
    : {
        invalidComponent: {
          id,
          partialEntry: null,
          partialComponent: parsePartialComponent(type, { ...envelope, key }),
          faults,
        },
      }
}

function envelopeFindings(envelope: Record<string, unknown>, id: string): Finding[] {
  const findings: Finding[] = []
  const { type, key, label } = envelope
  for (const name in envelope) {
    if (envelopeProperties.includes(name) || name === '__proto__') continue
    if (findings.length > mostFindings) break
    const message = `"${name}" is not a property of a component.${didYouMean(name, envelopeProperties)}`
    findings.push(finding(id, pointer(name), 'body.unknown_property', message))
  }
  if (typeof type !== 'string' || !isComponentType(type)) findings.push(typeFinding(type, id))
  if (typeof key !== 'string' || key === '')
    findings.push(
      finding(
        id,
        '/key',
        'key.invalid',
        'The component has no key. Add "key": letters a to z, digits and underscores, starting with a letter.',
      ),
    )
  else {
    const reason = explainKey(type === 'config_entry' ? 'config_entry' : 'object', key)
    if (reason !== null) findings.push(finding(id, '/key', 'key.invalid', reason))
  }
  if (typeof label !== 'string' || label.trim() === '')
    findings.push(
      finding(
        id,
        '/label',
        'envelope.invalid',
        'The component has no label. Add "label" with the name that people see.',
      ),
    )
  return findings
}

function typeFinding(type: unknown, id: string): Finding {
  const typeList = `The types are ${componentTypes.join(', ')}.`
  if (typeof type !== 'string')
    return finding(id, '/type', 'envelope.type', `The component has no type. ${typeList}`)
  const near = didYouMean(type, componentTypes)
  return finding(
    id,
    '/type',
    'envelope.type',
    `The component type "${type}" does not exist.${near === '' ? ` ${typeList}` : near}`,
  )
}

function hintsOf(envelope: Record<string, unknown>, id: string, findings: Finding[]): ApplyHints {
  const { breaking, renamedFrom, type } = envelope
  const hints: ApplyHints = {}
  if (typeof breaking === 'boolean') hints.breaking = breaking
  else if (breaking != null)
    findings.push(finding(id, '/breaking', 'body.type', '"breaking" must be true or false, without quotes.'))
  if (typeof renamedFrom === 'string') {
    const reason = explainKey(type === 'config_entry' ? 'config_entry' : 'object', renamedFrom)
    if (reason === null) hints.renamedFrom = renamedFrom
    else findings.push(finding(id, '/renamedFrom', 'key.invalid', reason))
  } else if (renamedFrom != null) {
    findings.push(
      finding(
        id,
        '/renamedFrom',
        'body.type',
        '"renamedFrom" must be the former key of the component, in quotes.',
      ),
    )
  }
  return hints
}

/** Returns the parsed body; undefined, with findings added, if it does not match the schema of its room. */
function parseBody(
  place: { type: ComponentType; key: string },
  body: unknown,
  id: string,
  findings: Finding[],
): unknown {
  if (body === undefined) {
    findings.push(
      finding(
        id,
        '/body',
        'envelope.invalid',
        'The component has no body. Add "body", an object with its properties.',
      ),
    )
    return undefined
  }
  const schema = roomOf(place.type).body as z.ZodType<unknown>
  const inLists = tooManyIssues(schema, body)
  if (inLists !== null) {
    for (const issue of inLists)
      for (const found of issueFindings(place, body, issue)) findings.push({ ...found, component: id })
    return undefined
  }
  const first = schema.safeParse(body)
  if (first.success) return first.data
  const lean = withoutNulls(body, first.error.issues)
  const second = lean === body ? first : schema.safeParse(lean)
  if (second.success) return second.data
  for (const issue of second.error.issues) {
    if (findings.length > mostFindings) break
    for (const found of issueFindings(place, lean, issue)) findings.push({ ...found, component: id })
  }
  return undefined
}

/** The issues in long lists, if they are more than can be listed; null otherwise, or if some are nulls. */
function tooManyIssues(schema: z.ZodType, body: unknown): readonly z.core.$ZodIssue[] | null {
  const { issues, total } = longListIssues(schema, body, { most: mostFindings + 1, countOf: () => 1 })
  return total > mostFindings && issues.every(({ path }) => valueAt(body, path) !== null) ? issues : null
}

/**
 * Returns the body without properties whose null was refused: a null that the schema does not accept means "absent".
 */
function withoutNulls(body: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const nulls = issues.filter(({ path }) => typeof path.at(-1) === 'string' && valueAt(body, path) === null)
  if (nulls.length === 0) return body
  const copy = structuredCopy(body)
  for (const { path } of nulls) {
    const owner = valueAt(copy, path.slice(0, -1)) as Record<PropertyKey, unknown>
    delete owner[path.at(-1)!]
  }
  return copy
}

function structuredCopy(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}

function finding(component: string, path: string, code: FindingCode, message: string): Finding {
  return { severity: 'error', code, component, path, message, related: [] }
}
