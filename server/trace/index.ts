// The execution trace (docs/reference/operations.md).
export { createCalloutMinutes, type CalloutMinutes } from './callout-minutes.ts'
export { createClientTraffic, type ClientTraffic } from './client-traffic.ts'
export { createTraceBuffer, type TraceBuffer } from './trace-buffer.ts'
export { purgeTrace } from './trace-purge.ts'
export { createTrace, type Trace } from './trace.ts'
