// Partial selection of a change list with its dependencies.
export { closureOf, closureSteps, type ClosureOptions } from './closure.ts'
export type { ClosureView, DraftNeedView, NeedView } from './closure-view.ts'
export type { NeedReason, Closure, Need, NeedKind } from './need.ts'
