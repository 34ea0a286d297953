// Shapes of what the server sends, as docs of /metadata/v3 and /setup/v3 give them.
import type { ComponentId, ComponentType } from '#kernel/components/component.ts'
import type { Scope } from '#kernel/components/scopes.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { FormDescriptor } from '#kernel/components/form.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }
export type JsonObject = Record<string, JsonValue>

export interface GenerationRow {
  generation: number
  kind: 'init' | 'apply' | 'rollback'
  at: string
  actor: string
  rationale: string
  changeDigest: string
  counts: { added: number; changed: number; renamed: number; removed: number }
  sliceBytes: number
}

export interface Org {
  name: string
  lineage: string
  environment: string
  generation: GenerationRow
  drafts: number
  me: { key: string; name: string; permissions: string[] }
  /** The org's own date; the studio has no other clock for what counts. */
  today: string
}

export interface Room {
  type: ComponentType
  title: string
  plural: string
  author: string
  form: FormDescriptor
  doc: { summary: string; text: string; example: JsonValue }
  /** JSON Schema of the envelope. */
  schema: Record<string, unknown>
}

export type DraftState = 'added' | 'changed' | 'removed'

export interface ComponentFacts {
  set?: string
  key?: string | null
  scope?: Scope | string
  priority?: number | null
  effectiveFrom?: string | null
  effectiveTo?: string | null
  values?: Record<string, string | boolean | null>
  owner?: unknown
  expiresOn?: string
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

export interface DraftRow {
  id: ComponentId
  /** The text as typed; null where the draft removes the component. */
  text: string | null
  baseDigest: string | null
  baseGeneration: number
  version: number
  author: string
  updatedAt: string
}

export interface Envelope {
  type: ComponentType
  key: string
  label: string
  body: JsonObject
}

export interface ComponentDetail {
  component: Envelope | null
  text: string | null
  digest: string | null
  generation: number
  draft: DraftRow | null
  usages: number
  entries: number
}

export interface Usage {
  from: ComponentId
  path: string
  member?: string | null
  label?: string
}

export interface VersionRow {
  id: ComponentId
  digest: string
  from: number
  to: number | null
  at: string
  actor: string
}

export interface AuditRow {
  id: string
  at: string
  actor: string
  correlationId: string
  generation: number | null
  component: string
  kind: string
  before: JsonValue
  after: JsonValue
  rationale: string
}

export interface ChangeView {
  kind: 'added' | 'changed' | 'renamed' | 'removed'
  id: ComponentId
  type: ComponentType
  key: string
  set?: string | null
  words: { title: string; before: string; after: string; takesEffect: string }
  values: { path: string; before?: JsonValue; after?: JsonValue }[]
  before: Envelope | null
  after: Envelope | null
  renamedFrom?: string | null
  /** Positions in the findings that came with the change. */
  findings?: number[]
  requires?: string
  lacks?: string | null
}

export interface Plan {
  lineage: string
  base: number
  changeDigest: string
}

export interface Budget {
  used: number
  added: number
  limit: number
  left: number
}

export interface PlanAnswer {
  plan: Plan
  changes: ChangeView[]
  /** How many changes there are; the first thousand are sent. */
  total?: number
  findings: Finding[]
  budget: Budget
}

export interface ApplyAnswer {
  generation: number
  changes: ChangeView[]
  findings: Finding[]
  ms: number
}

export interface ExplainStep {
  scope: string
  kind: string
  entry: string | null
  matched: boolean
  reason: string
  generation?: number | null
  actor?: string | null
  deployedBy?: { generation?: number; from?: number; actor: string; at?: string } | null
}

export interface Resolution {
  set: string
  key: string | null
  asOf: string | null
  generation: number
  scope: Scope
  entry: string
  values: Record<string, string | boolean | null>
  steps?: ExplainStep[]
}

export interface Binding {
  generation: number
  asOf: string | null
  config: Record<string, string>
  functions: Record<string, string>
  scopePath: Record<string, string | string[]>
}

export interface StoredResult {
  id: string
  label: string
  at: string
  actor: string
  expression: string
  inputs: JsonValue
  value: string
  binding: Binding
  state: 'bound' | 'archived'
}

export type { ComponentId, ComponentType, Finding }
