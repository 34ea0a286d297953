// HTTP types of change requests, shared by server and clients (docs/reference/pipeline-and-approvals.md).
import type { Component } from '#kernel/components/body-types.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ChangeRequestDetailOf, ChangeRequestSummary } from '#kernel/requests/index.ts'
import type { AppliedView, ChangeView } from './changes.ts'

/** A new or edited change request, with the result of its validation. */
export interface SubmittedRequestView extends ChangeRequestSummary {
  findings: readonly Finding[]
  /** How many findings there are if the list is truncated. */
  findingsTotal: number
}

/** `C` is the reader's type of a component. */
export type RequestDetailView<C = Component> = ChangeRequestDetailOf<ChangeView<C>[]>

export interface AppliedRequestView<C = Component> extends AppliedView<C> {
  request: ChangeRequestSummary
}
