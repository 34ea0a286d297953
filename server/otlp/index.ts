// Export of spans to a collector of the operator, with OTLP over HTTP (docs/reference/operations.md).
export { createCollector } from './collector.ts'
export { createSpanExporter, type OtlpCounts, type SpanExporter } from './exporter.ts'
export { exportHeaders, headersVariable, tracesUrl, type OtlpOptions } from './otlp-options.ts'
