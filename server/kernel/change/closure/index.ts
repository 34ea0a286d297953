// Partial selection of a change list with its dependencies (studio: Review).
export { closureOf, closureSteps, type ClosureOptions } from './closure-of.ts'
export type { ClosureView, DraftNeedView, NeedView } from './closure-view.ts'
export type { Because, Closure, Need, NeedKind } from './need.ts'
