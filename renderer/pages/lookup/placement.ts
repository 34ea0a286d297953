// A section of a layout: built from a field, checked like a layout, and read for drawing.
import { invalidJsonMessage } from '#kernel/components/json-reasons.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import { placeableElements } from '#kernel/components/placeable-elements.ts'
import { inputTypeLabels, placementFindings } from '#kernel/components/placement-rules.ts'
import type { Section } from '#kernel/components/placement.ts'
import { pointer } from '#kernel/components/pointer.ts'
import { jsonTextIssueCodes, jsonTextIssueMessage, scanJson } from '#kernel/components/scan-json.ts'
import { positionAt } from '#kernel/components/text-position.ts'
import type { Finding } from '../../api/wire.ts'
import { jsonFault } from '../../text/json-fault.ts'
import { asText, isObject } from '../../widgets/widget.ts'
import { inputNames, type Inputs, type InputValue } from './shown-field.ts'

/** Returns a section with one field in it, as text. */
export function sectionWith(inputs: Inputs): string {
  const fieldInputs = Object.fromEntries(
    inputNames.filter((name) => inputs[name] !== undefined).map((name) => [name, inputs[name]]),
  )
  const item = { id: 'field', type: 'component', key: 'lookup_field', inputs: fieldInputs }
  const section = { id: 'main', section: 'Details', columns: 1, items: [item] }
  return `${JSON.stringify(section, null, 2)}\n`
}

export interface CheckedSection {
  /** As far as it can be drawn; null if it is not a section. */
  section: Section | null
  /** Paths are pointers into the section. */
  findings: Finding[]
}

/** `object`: the object whose records the page shows. */
export function checkSection(value: unknown, object: string): CheckedSection {
  if (!isObject(value)) return { section: null, findings: [noSection] }
  const envelope = {
    type: 'layout',
    key: 'placement',
    label: 'Placement',
    body: { object, sections: [value] },
  }
  const parsed = parseComponent(envelope)
  const nulls = nullFindings(value)
  if (parsed.component?.type !== 'layout')
    return { section: null, findings: [...below(parsed.findings), ...nulls] }
  const { sections } = parsed.component.body
  const findings = placementFindings(parsed.component, sections, ['body', 'sections'], {
    kind: 'record',
    object,
  })
  return { section: sections[0] ?? null, findings: [...below(findings), ...nulls] }
}

const noSection: Finding = {
  ...{ severity: 'error', code: 'body.type', component: 'layout/placement', path: '', related: [] },
  message: 'A section is an object with "id", "section", "columns" and "items".',
}

/** Findings of the one section of a layout, as pointers into that section. */
function below(findings: readonly Finding[]): Finding[] {
  const start = '/body/sections/0'
  return findings
    .filter(({ path }) => path === start || path.startsWith(`${start}/`))
    .map((finding) => ({ ...finding, path: finding.path.slice(start.length) }))
}

/** A null is treated as omitted, which an author who means it as a value has to know. */
function nullFindings(section: unknown): Finding[] {
  return itemsOf(section).flatMap((item, at) => {
    if (!isObject(item) || !isObject(item.inputs)) return []
    const { key, inputs } = item
    const nulls = Object.keys(inputs).filter((name) => inputs[name] === null)
    return nulls.map((name): Finding => {
      const path = pointer('items', at, 'inputs', name)
      return {
        ...{ severity: 'warning', code: 'placement.input', component: 'layout/placement', path, related: [] },
        message: nullMessage(asText(key), name),
      }
    })
  })
}

function nullMessage(element: string, name: string): string {
  const known = Object.hasOwn(placeableElements, element) ? placeableElements[element]! : {}
  return Object.hasOwn(known, name)
    ? `The input "${name}" of ${element} is ${inputTypeLabels[known[name]!.type]}; null counts as omitted. Write a value, or remove it.`
    : `"${name}" is null, which counts as omitted. Remove it.`
}

/**
 * The findings of the server for a text before it is read: that it is not valid JSON, for example because of a comment,
 * or which parts are not read as written. `called`: the name of the text in messages.
 */
export function textFindings(text: string, component: string, called: string): Finding[] {
  const findingOf = (code: string, path: string, message: string): Finding => ({
    ...{ severity: 'error', code, component, path, message, related: [] },
  })
  const fault = jsonFault(text)
  if (fault !== null) return [findingOf('draft.json', '', invalidJsonMessage(called, fault))]
  return scanJson(text).map((flaw) =>
    findingOf(
      jsonTextIssueCodes[flaw.kind],
      flaw.path,
      jsonTextIssueMessage(flaw, positionAt(text, flaw.offset)),
    ),
  )
}

const itemsOf = (section: unknown): unknown[] =>
  isObject(section) && Array.isArray(section.items) ? section.items : []

/** Ids of the sections of a layout, or of the items of a section; empty for one without an id. */
export const idsOf = (list: readonly unknown[]): string[] =>
  list.map((each) => (isObject(each) && typeof each.id === 'string' ? each.id : ''))
export const itemIds = (section: unknown): string[] => idsOf(itemsOf(section))

/** Positions of the lookup fields whose inputs can be set, even if the section has findings. */
export const lookupItems = (section: unknown): number[] =>
  itemsOf(section).flatMap((item, at) =>
    isObject(item) && item.key === 'lookup_field' && (item.inputs === undefined || isObject(item.inputs))
      ? [at]
      : [],
  )

/** The inputs of an item that are values of attributes. */
export function inputsAt(section: unknown, at: number): Inputs {
  const item = itemsOf(section)[at]
  const inputs = isObject(item) && isObject(item.inputs) ? item.inputs : {}
  const result: Inputs = {}
  for (const name of inputNames) {
    const value = inputs[name]
    if (['string', 'number', 'boolean'].includes(typeof value)) result[name] = value as InputValue
  }
  return result
}
