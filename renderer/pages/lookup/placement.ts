// A section of a layout as text: made from a field, checked as a layout is, and read for drawing (specification 2.9).
import { parseComponent } from '#kernel/components/parse.ts'
import { placementFindings } from '#kernel/components/placement-rules.ts'
import type { Section } from '#kernel/components/placement.ts'
import type { Finding } from '../../api/wire.ts'
import { readLoosely, setAt } from '../../text/minimal-edit.ts'
import { inputNames, type Inputs, type InputValue } from './shown-field.ts'

/** A section with one field in it. */
export function sectionWith(inputs: Inputs): string {
  const given = Object.fromEntries(
    inputNames.filter((name) => inputs[name] !== undefined).map((name) => [name, inputs[name]]),
  )
  const item = { id: 'field', type: 'component', key: 'lookup_field', inputs: given }
  return text({ id: 'main', section: 'Details', columns: 1, items: [item] })
}

export const text = (section: unknown): string => `${JSON.stringify(section, null, 2)}\n`

export interface CheckedSection {
  /** As far as it can be drawn; null where it is no section. */
  section: Section | null
  /** Paths are pointers into the text. */
  findings: Finding[]
}

/** `object`: whose records the page shows. */
export function checkSection(written: string, object: string): CheckedSection {
  const { value, faults } = readLoosely(written)
  if (faults.length > 0) return { section: null, findings: [] }
  const envelope = {
    type: 'layout',
    key: 'placement',
    label: 'Placement',
    body: { object, sections: [value] },
  }
  const parsed = parseComponent(envelope)
  if (parsed.component?.type !== 'layout') return { section: null, findings: below(parsed.findings, 0) }
  const { sections } = parsed.component.body
  const findings = placementFindings(parsed.component, sections, ['body', 'sections'], object)
  return { section: sections[0] ?? null, findings: below(findings, 0) }
}

/** Findings of one section of a layout, as pointers into that section. */
export function below(findings: readonly Finding[], at: number): Finding[] {
  const start = `/body/sections/${at}`
  return findings
    .filter(({ path }) => path === start || path.startsWith(`${start}/`))
    .map((finding) => ({ ...finding, path: finding.path.slice(start.length) }))
}

/** Positions of the lookup fields in a text, even where it has findings. */
export function lookupItems(written: string): number[] {
  const { value } = readLoosely(written)
  const items = (value as { items?: unknown } | null | undefined)?.items
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown, at) =>
    (item as { key?: unknown } | null)?.key === 'lookup_field' ? [at] : [],
  )
}

/** The inputs of an item as far as they are values of attributes. */
export function inputsAt(written: string, at: number): Inputs {
  const { value } = readLoosely(written)
  const items = (value as { items?: { inputs?: unknown }[] } | null | undefined)?.items
  const inputs = Array.isArray(items) ? (items[at]?.inputs as Record<string, unknown> | undefined) : undefined
  const kept: Inputs = {}
  for (const name of inputNames) {
    const given = inputs?.[name]
    if (['string', 'number', 'boolean'].includes(typeof given)) kept[name] = given as InputValue
  }
  return kept
}

export const withInput = (written: string, at: number, name: string, value: InputValue | undefined): string =>
  setAt(written, ['items', at, 'inputs', name], value)
