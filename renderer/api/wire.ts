// The responses of the server, in the kernel's shapes; a component is the JSON that the user edits.
import type { ComponentId, ComponentType } from '#kernel/components/component.ts'
import type * as wire from '#wire/index.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }
export type JsonObject = Record<string, JsonValue>

export interface Envelope {
  type: ComponentType
  key: string
  label: string
  body: JsonObject
}

export type ComponentDetail = wire.ComponentDetail<Envelope>
export type ChangeView = wire.ChangeView<Envelope>
export type PlanAnswer = wire.PlanView<Envelope>
export type ApplyAnswer = wire.AppliedView<Envelope>
export type RequestDetail = wire.RequestDetailView<Envelope>

/**
 * A draft whose active component has changed in the meantime: three versions of one component; null if it does not
 * exist.
 */
export interface Conflict {
  id: ComponentId
  base: Envelope | null
  theirs: Envelope | null
  mine: Envelope | null
  /** Set if base and theirs are null because they are hidden, not absent. */
  hidden?: string
}

export type {
  FlipView,
  Impact,
  RecordFieldImpact,
  RecordsImpact,
  ResolutionChange,
  ResultChange,
} from '#kernel/change/index.ts'
export type { ComponentId, ComponentType } from '#kernel/components/component.ts'
export type { Binding, Resolution } from '#kernel/config/index.ts'
export type { Finding } from '#kernel/errors/finding.ts'
export type { Usage } from '#kernel/graph/index.ts'
export type {
  ChangeRequestApproval,
  ChangeRequestEvent,
  ChangeRequestState,
  ChangeRequestSummary,
} from '#kernel/requests/index.ts'
export type {
  AuditRow,
  ComponentFacts,
  ComponentPage,
  ComponentRow,
  ResolutionStep as ExplainStep,
  DiscardedDrafts,
  DraftRow,
  DraftState,
  GenerationRow,
  OrgView as Org,
  ResolutionExplanation,
  ResultView as StoredResult,
  RoomView as Room,
  VersionRow,
} from '#wire/index.ts'
