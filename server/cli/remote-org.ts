// An org behind a server: the same verbs over HTTP with a bearer token (completions 5, 7).
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import { errorCatalogue, type ErrorCode } from '#kernel/errors/catalogue.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import type { ImportFacts } from '../import/index.ts'
import type { Manifest } from '../pipeline/index.ts'
import type { Applied, GivenList, OrgApi, ShownChange, ShownPlan } from './org-api.ts'
import { sentList } from './sent-list.ts'
import { writeRetrieved } from './write-retrieved.ts'

type Json = Record<string, unknown>

export interface SentImport {
  set: string
  csv: string
  map: unknown
  dryRun?: boolean
  options: { name: string; repair: string[] }
}

export interface RemoteOrg extends OrgApi {
  importTable(sent: SentImport): Promise<{
    changes: ShownChange[]
    findings: Finding[]
    drafts?: ComponentId[]
    facts: ImportFacts
  }>
}

/** @param base address of the server, @param token a bearer token of one of its clients */
export function openRemoteOrg(base: string, token: string | undefined): RemoteOrg {
  const call = caller(base, token)
  const read = async <T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> =>
    (await (await call(method, path, body)).json()) as T
  const text = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<string> =>
    (await call(method, path, body)).text()
  const plan = async (list: GivenList): Promise<ShownPlan> => {
    const { body, findings, placed, origin } = sentList(list)
    const answer = await read<ShownPlan & { plan: Pick<ShownPlan, 'base' | 'changeDigest' | 'counts'> }>(
      'POST',
      '/metadata/v3/plan',
      { ...body, ...(await baseOf(origin)) },
    )
    const { base: active, changeDigest, counts } = answer.plan
    return {
      ...answer,
      base: active,
      changeDigest,
      counts,
      findings: [...findings, ...placed(answer.findings)],
    }
  }
  const active = async (): Promise<number> =>
    (await read<{ active: number }>('GET', '/metadata/v3/generations?limit=1')).active

  const facts = (): Promise<{ lineage: string; name: string; environment: string }> =>
    read('GET', '/setup/v3/org')
  /** Content moves freely between orgs; only a directory of this very org says on what it stands. */
  const baseOf = async (origin: Manifest | null): Promise<{ base?: number }> =>
    origin !== null && (await facts()).lineage === origin.lineage ? { base: origin.generation } : {}

  return {
    facts,
    plan,
    apply: async (list, terms) => {
      const { body, findings, origin } = sentList(list)
      if (hasErrors(findings))
        throw new AlmanacError('deploy.invalid', 'Files of the directory cannot be read; nothing was sent.', {
          details: findings,
        })
      const before = await active()
      const answer = await read<Omit<Applied, 'unchanged'>>('POST', '/metadata/v3/apply', {
        ...body,
        ...(await baseOf(origin)),
        ...terms,
      })
      return { ...answer, unchanged: answer.generation === before && answer.changes.length === 0 }
    },
    rollback: async (generation, rationale) => {
      const answer = await read<Omit<Applied, 'unchanged'>>('POST', '/metadata/v3/rollback', {
        generation,
        rationale,
      })
      return { ...answer, unchanged: answer.changes.length === 0 }
    },
    between: async (from, to) =>
      (await read<ShownPlan>('POST', '/metadata/v3/diff', { from, to: to ?? (await active()) })).changes,
    generations: (limit) => read('GET', `/metadata/v3/generations?limit=${limit}`),
    retrieve: async (dir, generation, progress) => {
      const path = `/metadata/v3/retrieve${generation === undefined ? '' : `?generation=${generation}`}`
      return writeRetrieved(dir, (await call('GET', path, undefined, 'application/x-ndjson')).body!, progress)
    },
    resolve: (question) => read('POST', '/setup/v3/resolve', question),
    explain: (question) => read('POST', '/setup/v3/evaluate/explain', question),
    evaluate: (evaluation) => read('POST', '/setup/v3/evaluate', evaluation),
    replay: (given) => read('POST', '/setup/v3/evaluate/replay', given),
    recompute: (given) => read('POST', '/setup/v3/evaluate/recompute', given),
    results: async (limit) =>
      (await read<{ results: never[] }>('GET', `/setup/v3/results?limit=${limit}`)).results,
    evidence: (resultId) => text('POST', '/setup/v3/evaluate/evidence', { resultId }),
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
      const { files } = await read<{ files: Record<string, string> }>('GET', `/metadata/v3/retrieve${query}`)
      const wanted =
        type === 'config_set'
          ? [`config_set/${set}.json`, `feature_flag/${set}.json`]
          : `config_entry/${set}/`
      const paths = Object.keys(files).filter((path) =>
        typeof wanted === 'string' ? path.startsWith(wanted) : wanted.includes(path),
      )
      if (type === 'config_set' && paths.length === 0)
        throw new AlmanacError('config.unknown_set', `There is no configuration set or flag "${set}".`)
      return paths.sort().map((path) => JSON.parse(files[path]!) as unknown)
    },
    drafts: async () => (await read<{ drafts: never[] }>('GET', '/setup/v3/drafts')).drafts,
    audit: async ({ component, limit }) => {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(component === undefined ? {} : { component }),
      })
      return (await read<{ rows: never[] }>('GET', `/metadata/v3/audit?${query}`)).rows
    },
    clientSecret: (client) => read('POST', `/setup/v3/clients/${encodeURIComponent(client)}/secrets`),
    close: async () => undefined,
  }
}

function caller(base: string, token: string | undefined) {
  return async (
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    accept = 'application/json',
  ): Promise<Response> => {
    const response = await fetch(new URL(path, base), {
      method,
      headers: {
        accept,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new AlmanacError(
        'request.invalid',
        `${base} cannot be reached: ${reasonOf(cause)}. Check the address, and that the server runs.`,
        { cause },
      )
    })
    if (!response.ok) throw await refusal(response, base)
    return response
  }
}

function reasonOf(cause: unknown): string {
  const inner = (cause as { cause?: { code?: string; message?: string } }).cause
  return inner?.code ?? inner?.message ?? (cause as Error).message
}

/** The server's error envelope as our own error. */
async function refusal(response: Response, base: string): Promise<AlmanacError> {
  const problem = (await response.json().catch(() => ({}))) as {
    code?: string
    detail?: string
    details?: unknown[]
  } & Json
  const code =
    problem.code !== undefined && Object.hasOwn(errorCatalogue, problem.code)
      ? (problem.code as ErrorCode)
      : 'internal.error'
  const hint = code === 'auth.required' ? ' Set ALMANAC_TOKEN or give --token.' : ''
  return new AlmanacError(code, `${problem.detail ?? `${base} answered ${response.status}.`}${hint}`, {
    details: problem.details ?? [],
  })
}
