// An org behind a server, used over HTTP with a bearer token.
import { randomUUID } from 'node:crypto'
import { splitId } from '#kernel/components/component.ts'
import { errorCatalogue, type ErrorCode } from '#kernel/errors/catalogue.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors, isFinding, type Finding } from '#kernel/errors/finding.ts'
import { accessDenied } from '../access/index.ts'
import { deployError, type AuditSearch, type Manifest } from '../pipeline/index.ts'
import type { AuditRow } from '#wire/index.ts'
import { connectionErrorKind, redactor, tlsErrorReason } from '../system/index.ts'
import { requireAddress } from './require-address.ts'
import type { AppliedView, DiffView, PlanView } from '#wire/index.ts'
import type { ImportView } from '#wire/tables.ts'
import type { ChangeListInput, OrgApi, PlannedList } from './org-api.ts'

import { remoteCredentials } from './remote-credentials.ts'
import { remoteRecords } from './remote-records.ts'
import { remoteRequests } from './remote-requests.ts'
import { createChangeListBody, type ChangeListBody } from './change-list-body.ts'
import { bodyOf, textOf } from './response-body.ts'
import { readFileLines, writeRetrievedFiles, type RetrievedFile } from './write-retrieved-files.ts'

type Json = Record<string, unknown>

/** The stream of a retrieve, one file per line. */
const ndjson = 'application/x-ndjson'
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ImportUpload {
  set: string
  /** The file, in base64. */
  bytes: string
  map: unknown
  dryRun?: boolean
  options: { name: string; repair: string[]; again: boolean }
}

export interface RemoteOrg extends OrgApi {
  /** Sent with every request; after a lost connection, it identifies what was applied. */
  readonly correlationId: string
  importTable(sent: ImportUpload): Promise<ImportView>
}

/**
 * @param base URL of the server
 * @param token bearer token of one of its clients
 * @throws UsageError if it is not a URL
 */
export function openRemoteOrg(base: string, token: string | undefined): RemoteOrg {
  requireAddress(base)
  const correlationId = randomUUID()
  const redact = redactor([token])
  const call = createCaller(base, token, correlationId, redact)
  const read = async <T>(method: Method, path: string, body?: unknown): Promise<T> => {
    const response = await call(method, path, body)
    const answer = await jsonOf<T | null>(response, base, redact)
    if (typeof answer !== 'object' || answer === null) throw unreadableError(base, response.status)
    return answer
  }
  const text = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<string> =>
    redact(await bodyText(await call(method, path, body), base))
  const plan = async (list: ChangeListInput, rationale?: string): Promise<PlannedList> => {
    const { body, mergeFindings, origin } = createChangeListBody(list)
    const answer = await read<PlanView>('POST', '/metadata/v3/plan', {
      ...body,
      rationale,
      ...(await baseOf(origin)),
    })
    if (typeof answer.plan !== 'object' || !Array.isArray(answer.findings)) throw unreadableError(base, 200)
    const findings = mergeFindings(answer.findings)
    const ofFiles = findings.length - answer.findings.length
    return {
      ...answer,
      findings,
      // A server of an earlier version does not send it.
      findingsTotal: ofFiles + (answer.findingsTotal ?? answer.findings.length),
    }
  }
  const filesAt = async (path: string): Promise<AsyncIterable<RetrievedFile>> =>
    readFileLines(bodyOf(await call('GET', path, undefined, ndjson), base), redact)
  const active = async (): Promise<number> =>
    (await read<{ active: number }>('GET', '/metadata/v3/generations?limit=1')).active

  const facts = (): Promise<{ lineage: string; name: string; environment: string }> =>
    read('GET', '/setup/v3/org')
  /** Directories can be moved between orgs, so only a directory retrieved from this org names a base generation. */
  const baseOf = async (origin: Manifest | null): Promise<{ base?: number }> =>
    origin !== null && (await facts()).lineage === origin.lineage ? { base: origin.generation } : {}

  const sendList = async <T extends { findings: readonly Finding[] }>(
    path: string,
    list: ChangeListInput,
    more: object,
  ): Promise<T> => {
    const { body, findings, mergeFindings, origin } = createChangeListBody(list)
    // The list cannot be applied, so the server only reports the other findings.
    if (hasErrors(findings)) throw planRefusal(await plan(list))
    const sent = { ...body, ...(await baseOf(origin)), ...more }
    const answer = await read<T>('POST', path, sent).catch((error: unknown) => {
      throw error instanceof AlmanacError ? addLocations(error, mergeFindings) : error
    })
    return { ...answer, findings: mergeFindings(answer.findings) }
  }

  return {
    correlationId,
    facts,
    plan,
    impact: async (list, limit) => {
      const { body, origin } = createChangeListBody(list)
      return read('POST', '/metadata/v3/impact', { ...body, ...(await baseOf(origin)), limit })
    },
    recordsImpact: async (list, after) => {
      const { body, origin } = createChangeListBody(list)
      return read('POST', '/metadata/v3/impact/records', { ...body, ...(await baseOf(origin)), after })
    },
    apply: async (list, terms) => {
      const before = await active()
      const answer = await sendList<AppliedView>('/metadata/v3/apply', list, terms)
      const unchanged = answer.generation === before && answer.changes.length === 0
      return { ...answer, unchanged }
    },
    diff: async (from, to) =>
      (
        await read<Pick<DiffView, 'changes'>>('POST', '/metadata/v3/diff', {
          from,
          to: to ?? (await active()),
        })
      ).changes,
    generations: (limit) => read('GET', `/metadata/v3/generations?limit=${limit}`),
    retrieve: async (dir, generation, progress) => {
      const path = `/metadata/v3/retrieve${generation === undefined ? '' : `?generation=${generation}`}`
      return writeRetrievedFiles(dir, await filesAt(path), progress)
    },
    resolve: (question) => read('POST', '/setup/v3/resolve', question),
    explain: (question) => read('POST', '/setup/v3/evaluate/explain', question),
    evaluate: (evaluation) => read('POST', '/setup/v3/evaluate', evaluation),
    replay: (given) => read('POST', '/setup/v3/evaluate/replay', given),
    recompute: (given) => read('POST', '/setup/v3/evaluate/recompute', given),
    results: async (limit) =>
      (await read<{ results: never[] }>('GET', `/setup/v3/results?limit=${limit}`)).results,
    evidence: (resultId) => text('POST', '/setup/v3/evaluate/evidence', { resultId }),
    accessOf: (user) => read('GET', `/setup/v3/users/${encodeURIComponent(user)}/access`),
    whereUsed: (id, member) => {
      const { type, key } = splitId(id)
      return read(
        'GET',
        `/metadata/v3/components/${type}/${encodeURIComponent(key)}/where-used${member === undefined ? '' : `?member=${encodeURIComponent(member)}`}`,
      )
    },
    types: () => text('GET', '/metadata/v3/types'),
    importTable: (sent) => read('POST', '/setup/v3/import', sent),
    components: async (type, set, generation) => {
      const query = generation === undefined ? '' : `?generation=${generation}`
      const prefixes =
        type === 'config_set'
          ? [`config_set/${set}.json`, `feature_flag/${set}.json`]
          : [`config_entry/${set}/`]
      const matches: { path: string; component: unknown }[] = []
      for await (const { path, text } of await filesAt(`/metadata/v3/retrieve${query}`))
        if (prefixes.some((start) => path.startsWith(start)))
          matches.push({ path, component: parseResponse(text, base, 200) })
      if (type === 'config_set' && matches.length === 0)
        throw new AlmanacError('config.unknown_set', `The configuration set or flag "${set}" does not exist.`)
      return matches.sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ component }) => component)
    },
    drafts: async () => (await read<{ drafts: never[] }>('GET', '/setup/v3/drafts')).drafts,
    audit: async (search, limit) => auditRows(read, search, limit),
    clientSecret: (client) => read('POST', `/setup/v3/clients/${encodeURIComponent(client)}/secrets`),
    requests: remoteRequests({ read, sendList }),
    credentials: remoteCredentials({
      read,
      write: async (method, path, body) => void (await call(method, path, body)),
    }),
    records: remoteRecords(read, {
      text,
      lines: async (path) => decoded(bodyOf(await call('GET', path, undefined, ndjson), base), redact),
      change: async (path, body, ifMatch) => {
        const response = await call('PATCH', path, body, undefined, { 'if-match': ifMatch })
        return jsonOf(response, base, redact)
      },
      remove: async (path) => void (await call('DELETE', path)),
    }),
    close: async () => undefined,
  }
}

/** Whole lines, so that nothing to redact is cut. */
async function* decoded(
  pieces: AsyncIterable<Uint8Array>,
  redact: (text: string) => string,
): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const text = rest + decoder.decode(piece, { stream: true })
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (end > 0) yield redact(text.slice(0, end))
  }
  if (rest !== '') yield redact(rest)
}

type Read = <T>(method: Method, path: string, body?: unknown) => Promise<T>

/** Reads page by page, as the rows are consumed. */
async function* auditRows(read: Read, search: AuditSearch, limit: number): AsyncIterable<AuditRow> {
  const filter = Object.entries(search).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  for (let [remaining, before] = [limit, ''] as [number, string | null]; remaining > 0 && before !== null;) {
    const query = new URLSearchParams(filter)
    query.set('limit', String(Math.min(remaining, 1000)))
    if (before !== '') query.set('before', before)
    const page = await read<{ rows: AuditRow[]; nextCursor: string | null }>(
      'GET',
      `/metadata/v3/audit?${query}`,
    )
    yield* page.rows
    remaining -= page.rows.length
    before = page.nextCursor
  }
}

function createCaller(
  base: string,
  token: string | undefined,
  correlationId: string,
  redact: (text: string) => string,
) {
  return async (
    method: Method,
    path: string,
    body?: unknown,
    accept = 'application/json',
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> => {
    const response = await fetch(new URL(path, base), {
      method,
      // Requests for this org are never sent to another one.
      redirect: 'manual',
      headers: {
        accept,
        'x-correlation-id': correlationId,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw connectionError(cause, base)
    })
    if (!response.ok) throw await responseError(response, base, redact)
    return response
  }
}

/** As in a local apply, a missing permission is reported before findings. */
function planRefusal({ denials, findings }: PlannedList): AlmanacError {
  return denials.length > 0 ? accessDenied(denials) : deployError(findings)
}

/** Adds the places in the directory to the findings of a refusal. */
function addLocations(error: AlmanacError, mergeFindings: ChangeListBody['mergeFindings']): AlmanacError {
  const { code, message, details } = error
  return details.length > 0 && details.every(isFinding)
    ? new AlmanacError(code, message, { details: mergeFindings(details) })
    : error
}

const faults = {
  unreachable: ['integration.unreachable', 'Check the URL, and check that the server is running.'],
  tls: ['integration.tls', 'Nothing was sent.'],
  timeout: ['integration.timeout', 'Check the state of the server and try again.'],
  lost: ['integration.connection_lost', 'Try again.'],
} as const satisfies Record<ReturnType<typeof connectionErrorKind>, readonly [ErrorCode, string]>

/** Returns the error of a failed connection, by its cause. */
function connectionError(cause: unknown, base: string): AlmanacError {
  const inner = ((cause as { cause?: unknown }).cause ?? cause) as Error & { code?: string }
  // fetch refuses the ports of other protocols before anything is sent.
  const kind = inner.message === 'bad port' ? 'unreachable' : connectionErrorKind(inner.code ?? '')
  const [code, way] = faults[kind]
  const reason = kind === 'tls' ? tlsErrorReason(inner) : (inner.code ?? inner.message)
  const what = kind === 'unreachable' ? 'cannot be reached' : 'closed the connection during the request'
  return new AlmanacError(code, `${base} ${kind === 'tls' ? 'cannot be trusted' : what}: ${reason}. ${way}`, {
    cause,
  })
}

async function jsonOf<T>(response: Response, base: string, redact: (text: string) => string): Promise<T> {
  return parseResponse(redact(await bodyText(response, base)), base, response.status) as T
}

async function bodyText(response: Response, base: string): Promise<string> {
  return textOf(response, base).catch((cause: unknown) => {
    throw cause instanceof AlmanacError ? cause : connectionError(cause, base)
  })
}

function parseResponse(text: string, base: string, status: number): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw unreadableError(base, status, cause)
  }
}

function unreadableError(base: string, status: number, cause?: unknown): AlmanacError {
  return new AlmanacError(
    'integration.unreadable',
    `${base} responded with ${status} and is not an Almanac server. Check the URL.`,
    { cause },
  )
}

/** Converts the error envelope of the server to an AlmanacError. */
async function responseError(
  response: Response,
  base: string,
  redact: (text: string) => string,
): Promise<AlmanacError> {
  if (response.status < 400)
    return new AlmanacError(
      'integration.redirect_refused',
      `${base} points to ${redact(response.headers.get('location') ?? 'nowhere')}, and redirects are not followed. If that is its new URL, use that URL.`,
    )
  const problem = ((await jsonOf(response, base, redact).catch(() => null)) ?? {}) as {
    code?: string
    detail?: string
    details?: unknown[]
  } & Json
  if (problem.code === undefined || !Object.hasOwn(errorCatalogue, problem.code))
    return unreadableError(base, response.status)
  const code = problem.code as ErrorCode
  const hint = code === 'auth.required' ? ' Set ALMANAC_TOKEN or pass --token.' : ''
  return new AlmanacError(code, `${problem.detail ?? `${base} responded with ${response.status}.`}${hint}`, {
    details: problem.details ?? [],
  })
}
