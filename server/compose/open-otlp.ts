// The export of spans, as a server runs it, and what is noted for it: saves, and calls to other systems.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CalloutObserver } from '../callouts/index.ts'
import type { Span, SpanAttributes, Spans } from '../ports/spans.ts'
import {
  createCollector,
  createSpanExporter,
  exportHeaders,
  tracesUrl,
  type OtlpOptions,
  type SpanExporter,
} from '../otlp/index.ts'
import { addressRule, systemRandom, undiciOutbound } from '../system/index.ts'
import type { SavedOne } from './grouped-saves.ts'
import type { OpenedOrg } from './open-org.ts'

interface OtlpParts {
  org: Pick<OpenedOrg, 'facts' | 'ids'>
  /** Of Almanac. */
  version: string
  onFailure(reason: string): void
}

/** @throws AlmanacError `server.cannot_start` */
export function openOtlp(options: OtlpOptions, { org, version, onFailure }: OtlpParts): SpanExporter {
  // The operator names the address, which can be in the internal network.
  const outbound = undiciOutbound(addressRule({ isOwnMachine: true, allowed: [] }))
  const resource = {
    'service.name': 'almanac',
    'service.version': version,
    'service.instance.id': org.ids.uuid(),
    'deployment.environment.name': org.facts().environment,
  }
  const url = tracesUrl(options)
  const send = createCollector({ outbound, url, headers: exportHeaders(options), resource, version })
  const exporter = createSpanExporter({ send, random: systemRandom, onFailure })
  return {
    ...exporter,
    close: async () => {
      await exporter.close()
      await outbound.close()
    },
  }
}

/** @param endedAt milliseconds since 1970 */
export function saveSpan(saved: SavedOne, endedAt: number): Span {
  const { command, outcome, ms } = saved
  const { correlationId, client = null } = command
  const { generation } = outcome.ok && 'generation' in outcome.reply ? outcome.reply : command
  const { name, own } = kindOfSave(command)
  const { count, code } = failedOf(outcome)
  return {
    ...{ name, kind: 'internal', correlationId, startedAt: endedAt - ms, durationMs: ms },
    isFailed: code !== null,
    attributes: {
      ...{ 'almanac.generation': generation, 'almanac.client': client },
      ...{ ...own, 'almanac.failed': count, 'error.type': code },
    },
  }
}

function kindOfSave(command: SavedOne['command']): { name: string; own: SpanAttributes } {
  if ('ingest' in command)
    return {
      name: 'bulk batch',
      own: { 'almanac.bulk_job': command.ingest, 'almanac.rows': command.rows.count },
    }
  if ('operation' in command) return { name: 'operation', own: { 'almanac.operation': command.operation } }
  const items = 'items' in command ? command.items : []
  const object = items.length === 1 ? items[0]!.object : null
  return { name: 'save', own: { 'almanac.object': object, 'almanac.items': items.length } }
}

/** Rows of a bulk job fail each alone; the code of a save is that of its first item that failed. */
function failedOf(outcome: SavedOne['outcome']): { count: number; code: string | null } {
  if (!outcome.ok) return { count: 0, code: codeOf(outcome.error) }
  const { reply } = outcome
  if ('failed' in reply) return { count: reply.failed, code: null }
  const failed = 'results' in reply ? reply.results.filter((result) => !result.ok) : []
  return { count: failed.length, code: failed[0]?.error.code ?? null }
}

const codeOf = (error: unknown): string => (error instanceof AlmanacError ? error.code : 'internal')

/** A span for each attempt of a call. */
export const attemptSpans = (spans: Spans): CalloutObserver['onAttempt'] => {
  return ({ credential, correlationId, method }, { at, n, endpoint, status, latencyMs, error }) =>
    spans.note({
      ...{ name: `${method} ${credential.key}`, kind: 'client', correlationId },
      ...{ startedAt: Date.parse(at), durationMs: latencyMs, isFailed: error !== null },
      attributes: {
        ...{ 'http.request.method': method, 'http.response.status_code': status },
        ...{ 'url.template': endpoint, 'almanac.named_credential': credential.key, 'almanac.attempt': n },
        'error.type': error?.code ?? null,
      },
    })
}
