// A collector on this machine: it decodes what arrives with the published schema of OTLP, and refuses what does not fit it.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import root from '@opentelemetry/otlp-transformer/build/src/generated/root.js'

// Generated from https://github.com/open-telemetry/opentelemetry-proto.
const { ExportTraceServiceRequest } = (root as unknown as Published).opentelemetry.proto.collector.trace.v1

interface MessageType {
  fromObject(object: object): object
  encode(message: object): { finish(): Uint8Array }
  decode(bytes: Uint8Array): object
  toObject(message: object, options: object): object
}
interface Published {
  opentelemetry: { proto: { collector: { trace: { v1: Record<'ExportTraceServiceRequest', MessageType> } } } }
}

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | null
  name: string
  kind: number
  /** Nanoseconds since 1970. */
  start: bigint
  end: bigint
  isFailed: boolean
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
}

export interface Collector {
  /** For `--otlp-endpoint`. */
  url: string
  spans: CollectedSpan[]
  /** Of the requests that it has accepted. */
  headers: IncomingHttpHeaders[]
  texts: string[]
  /** All requests, including those that were refused. */
  requests(): number
  /** How it responds from now on; true if it has. */
  respond(answer: (response: ServerResponse) => boolean): void
  close(): Promise<void>
}

export async function otlpCollector(): Promise<Collector> {
  const [spans, headers, texts]: [CollectedSpan[], IncomingHttpHeaders[], string[]] = [[], [], []]
  let requests = 0
  let answer = (_response: ServerResponse): boolean => false
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      requests += 1
      if (answer(response)) return
      try {
        const text = Buffer.concat(pieces).toString()
        if (request.url !== '/v1/traces' || request.method !== 'POST') throw new Error('not the path of OTLP')
        if (request.headers['content-type'] !== 'application/json') throw new Error('not JSON')
        spans.push(...decoded(text))
        headers.push(request.headers)
        texts.push(text)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
      } catch (error) {
        response.writeHead(400).end(String(error))
      }
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ spans, headers, texts, requests: () => requests },
    respond: (next) => void (answer = next),
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

interface AnyValue {
  stringValue?: string
  boolValue?: boolean
  intValue?: string
  doubleValue?: number
}
type Attributes = { key: string; value: AnyValue }[]
interface SpanJson {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attributes
  status?: { code: number }
}
interface RequestJson {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: SpanJson[] }[] }[]
}

const ids = ['traceId', 'spanId', 'parentSpanId']

/** @throws Error if it is not what the schema describes */
function decoded(text: string): CollectedSpan[] {
  // JSON has ids in hexadecimal digits, and not in base64 as other bytes.
  const request = JSON.parse(text, (name, value: unknown) =>
    ids.includes(name) ? Buffer.from(requireHex(value), 'hex').toString('base64') : value,
  ) as RequestJson
  const bytes = ExportTraceServiceRequest.encode(ExportTraceServiceRequest.fromObject(request)).finish()
  const message = ExportTraceServiceRequest.decode(bytes)
  const options = { bytes: String, longs: String, enums: Number }
  const again = ExportTraceServiceRequest.toObject(message, options) as RequestJson
  // A member that the schema does not know would be lost.
  if (canonical(again) !== canonical(request)) throw new Error('the request has unknown members')
  return again.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        ...{ name: span.name, kind: span.kind, isFailed: span.status?.code === 2 },
        ...{ traceId: hex(span.traceId), spanId: hex(span.spanId) },
        parentSpanId: span.parentSpanId === undefined ? null : hex(span.parentSpanId),
        ...{ start: BigInt(span.startTimeUnixNano), end: BigInt(span.endTimeUnixNano) },
        ...{ attributes: valuesOf(span.attributes), resource: valuesOf(resource.attributes) },
      })),
    ),
  )
}

const hex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

function requireHex(value: unknown): string {
  if (typeof value === 'string' && /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/.test(value)) return value
  throw new Error(`${String(value)} is not an id`)
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

const valuesOf = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue),
    ]),
  )
