// HTTP types of components and their org, shared by server and studio.
import type { ComponentDoc } from '#kernel/components/define.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentId, ComponentType } from '#kernel/components/component.ts'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FormDescriptor } from '#kernel/components/form.ts'
import type { JsonSchema } from '#kernel/components/schema-lookup.ts'
import type { Scope } from '#kernel/components/scopes.ts'
import type { Usage } from '#kernel/graph/index.ts'
import type { DraftRow, GenerationRow } from './rows.ts'

/** What a draft does to its component. */
export type DraftState = 'added' | 'changed' | 'removed'

/** What a list shows of a component in addition to its label, for entries, flags and sets. */
export interface ComponentFacts {
  set?: string
  key?: string | null
  scope?: Scope
  priority?: number | undefined
  effectiveFrom?: string | null
  effectiveTo?: string | null
  values?: Readonly<Record<string, FieldValue>>
  owner?: unknown
  expiresOn?: string
  /** Days until a flag's last day; negative if it is frozen. */
  daysLeft?: number
  frozen?: boolean
  entries?: number
}

export interface ComponentRow {
  id: ComponentId
  type: ComponentType
  key: string
  label: string
  digest: string | null
  draft: DraftState | null
  findings: number
  facts?: ComponentFacts
}

export interface ComponentPage {
  components: ComponentRow[]
  nextCursor: string | null
  total: number
}

/** `C` is the reader's type of a component. */
export interface ComponentDetail<C = Component> {
  /** Null if it is only a draft. */
  component: C | null
  text: string
  digest: string | null
  generation: number
  draft: DraftRow | null
  usages: number
  entries: number
}

/** `GET /metadata/v3/components/counts`. */
export interface ComponentCounts {
  counts: Partial<Record<ComponentType, number>>
  drafts: number
  findings: number
  expiring: number
}

/** `GET /metadata/v3/components/{type}/{key}/where-used`. */
export interface WhereUsedView {
  usages: Usage[]
  /** The number of entries of a set or flag. */
  entries: number
}

/** `GET /setup/v3/principals`. */
export interface PrincipalsView {
  users: { key: string; name: string; active: boolean }[]
  groups: { key: string; name: string }[]
  /** How many match if the lists are truncated. */
  total: { users: number; groups: number }
}

export interface OrgView {
  name: string
  lineage: string
  environment: string
  generation: GenerationRow
  drafts: number
  me: { key: string; name: string; permissions: string[] }
  /** The org's date; the studio uses it instead of its own clock. */
  today: string
  /** How many approvals a change list needs before it is applied; with 0, it can be applied directly. */
  requiredApprovals: number
}

/** A component type with its form and help. */
export interface RoomView {
  type: ComponentType
  title: string
  plural: string
  author: string
  form: FormDescriptor
  doc: ComponentDoc
  /** JSON Schema of the envelope. */
  schema: JsonSchema
}
