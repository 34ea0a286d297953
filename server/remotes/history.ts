// The generations of a remote: which are ours, and which others created since it was last seen.
import { appendAll } from '#kernel/append-all.ts'
import type {
  RemoteDrift,
  RemoteGeneration,
  RemoteGenerationChanges,
  RemoteHistory,
  RemoteRevision,
} from '#wire/remotes.ts'
import type { RemoteChangeResponse, RemoteGenerationRow } from './response-schemas.ts'
import type { RemoteClient } from './client.ts'
import type { RemotesDeps } from './deps.ts'

const pageLength = 200
/** Maximum number of generations whose changes are read one by one. */
const maxInspected = 50

/** The correlation id of everything that a job does there; it identifies the job's generation. */
export function correlationOf(lineage: string, job: string): string {
  return `almanac:${lineage}:${job}`
}

/**
 * Whether a generation there came from this org: by its correlation id, or as the result of one of our change requests.
 */
export function ownGenerationFilter(
  { org, store }: RemotesDeps,
  remote: string,
): (row: RemoteGenerationRow) => boolean {
  const mark = correlationOf(org.facts().lineage, '')
  let ownGenerations: ReadonlySet<number> | undefined
  return ({ correlationId, generation }) => {
    if (correlationId.startsWith(mark)) return true
    ownGenerations ??= store.read((reader) => reader.remotes.generationsMadeByJobs(remote, 1000))
    return ownGenerations.has(generation)
  }
}

/** The generations after one, newest first. */
export async function generationsSince(client: RemoteClient, since: number): Promise<RemoteGenerationRow[]> {
  const rows: RemoteGenerationRow[] = []
  let before: number | undefined
  for (;;) {
    const { generations } = await client.generations({
      limit: pageLength,
      ...(before === undefined ? {} : { before }),
    })
    const newer = generations.filter(({ generation }) => generation > since)
    appendAll(rows, newer)
    // A page without a next one also ends it.
    const last = generations.at(-1)?.generation
    if (newer.length < generations.length || last === undefined || last >= (before ?? Infinity)) return rows
    before = last
  }
}

export async function loadHistory(
  deps: RemotesDeps,
  client: RemoteClient,
  page: { before?: number; limit: number },
): Promise<RemoteHistory> {
  const ours = ownGenerationFilter(deps, client.row.key)
  const { active, generations } = await client.generations(page)
  return { active, generations: generations.map((row) => generationView(row, ours)) }
}

export async function loadGenerationChanges(
  deps: RemotesDeps,
  client: RemoteClient,
  generation: number,
): Promise<RemoteGenerationChanges> {
  const answer = await client.generation(generation)
  return {
    generation: generationView(answer.generation, ownGenerationFilter(deps, client.row.key)),
    changes: answer.changes.flatMap((change) => plainChange(change)),
    total: answer.total,
  }
}

/** A rename in the remote's history is read as that change. */
function plainChange({ id, kind, words, values }: RemoteChangeResponse): RemoteGenerationChanges['changes'] {
  return [{ id, kind: kind === 'renamed' ? 'changed' : kind, words, values }]
}

export async function loadDrift(
  deps: RemotesDeps,
  client: RemoteClient,
  seen: RemoteRevision,
): Promise<RemoteDrift> {
  const ours = ownGenerationFilter(deps, client.row.key)
  const rows = (await generationsSince(client, seen.generation)).filter((row) => !ours(row))
  const looked = rows.slice(0, maxInspected)
  const components = new Map<string, RemoteDrift['components'][number]>()
  let cut = false
  for (const row of looked) {
    const { changes, total } = await client.generation(row.generation)
    cut ||= total > changes.length
    for (const { id, kind, words } of changes)
      // The latest change to a component is the one that is reported.
      if (!components.has(id))
        components.set(id, { id, kind, words, generation: row.generation, actor: row.actor, at: row.at })
  }
  const { active } = await client.generations({ limit: 1 })
  return {
    seen: { generation: seen.generation, at: seen.at },
    active,
    generations: rows.map((row) => generationView(row, ours)),
    more: cut || rows.length > looked.length,
    components: [...components.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
  }
}

function generationView(
  { generation, kind, at, actor, rationale, counts, ...row }: RemoteGenerationRow,
  ours: (row: RemoteGenerationRow) => boolean,
): RemoteGeneration {
  return {
    generation,
    kind,
    at,
    actor,
    rationale,
    counts,
    ours: ours({ generation, kind, at, actor, rationale, counts, ...row }),
  }
}
