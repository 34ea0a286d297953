// For tests of the rooms: components from JSON, and the findings of their rules in a small org.
import { parseCivilDate, type CivilDate } from '../dates/civil-date.ts'
import type { Finding } from '../errors/finding.ts'
import type { Component, ComponentOf } from './body-types.ts'
import { splitId, type ComponentType } from './component.ts'
import type { PrincipalDirectory, RuleContext } from './define.ts'
import { MemoryView } from './memory-view.ts'
import { parseComponent } from './parse.ts'
import { roomOf } from './registry.ts'

/** A parsed component of `<type>/<key>`; throws its findings if the body does not fit. */
export function component<T extends ComponentType>(id: `${T}/${string}`, body: unknown): ComponentOf<T> {
  const { type, key } = splitId(id)
  const parsed = parseComponent({ type, key, label: key, body })
  if (parsed.component === null)
    throw new Error(parsed.findings.map(({ path, message }) => `${path}: ${message}`).join('\n'))
  return parsed.component as ComponentOf<T>
}

export function date(text: string): CivilDate {
  const parsed = parseCivilDate(text)
  if (parsed === null) throw new Error(`${text} is not a date`)
  return parsed
}

/** mara and admin are active users, old is inactive; tax is a group. */
export const principals: PrincipalDirectory = {
  user: (key) => (key === 'mara' || key === 'admin' ? 'live' : key === 'old' ? 'inactive' : undefined),
  group: (key) => (key === 'tax' ? 'live' : undefined),
  userKeys: () => ['admin', 'mara', 'old'],
  groupKeys: () => ['tax'],
}

export interface FixtureOrg {
  others?: readonly Component[]
  base?: readonly Component[]
  today?: string
  /** The rationales that each flag had before the base. */
  formerRationales?: readonly string[]
}

export function contextOf(
  candidate: readonly Component[],
  { base, today = '2026-06-01', formerRationales = [] }: FixtureOrg = {},
): RuleContext {
  const view = new MemoryView(candidate)
  return {
    view,
    base: base === undefined ? null : new MemoryView(base),
    today: date(today),
    principals,
    rationale: '',
    formerRationales: () => formerRationales,
  }
}

/** All findings of the rules for one normalised component, among other components. */
export function findingsOf<T extends ComponentType>(
  subject: ComponentOf<T>,
  org: FixtureOrg = {},
): Finding[] {
  const candidate = [...(org.others ?? []), subject as Component]
  const context = contextOf(candidate, org)
  const room = roomOf(subject.type as T)
  const normal = room.normalise?.(subject, context.view) ?? subject
  return room.rules.flatMap((rule) => rule(normal, context))
}

/** The code and the place of each finding, as in `config.key_missing /body`. */
export function codesWithPaths(findings: readonly Finding[]): string[] {
  return findings.map(({ code, path }) => `${code} ${path}`)
}
