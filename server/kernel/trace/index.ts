// The kinds of events in the execution trace.
export { latencyBounds, traceKindNames, traceKinds, type TraceFacts, type TraceKind } from './kinds.ts'
