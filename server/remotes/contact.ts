// Contacts a remote: is it the pinned org, which user are we there, and did its generation change?
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemoteContact } from '#wire/remotes.ts'
import type { RemoteRow } from '../ports/remotes.ts'
import type { RemoteFacts } from './response-schemas.ts'
import type { RemoteClient } from './client.ts'
import { generationsSince, ownGenerationFilter } from './history.ts'
import type { RemotesDeps } from './deps.ts'
import { originOf, problemOf } from './remote-error.ts'

export interface ContactResult {
  facts: RemoteFacts
  contact: Extract<RemoteContact, { state: 'reached' }>
}

/** @throws AlmanacError conflict.lineage_changed if another org is there, and those of class integration. */
export async function contactRemote(deps: RemotesDeps, client: RemoteClient): Promise<ContactResult> {
  const { clock, store } = deps
  const started = performance.now()
  const facts = await client.facts()
  const ms = Math.round(performance.now() - started)
  requireLineage(client.row, facts)
  const approvals = await client.approvals()
  const seen = store.read((reader) => reader.remotes.revision(client.row.key, 'seen'))
  const active = facts.generation.generation
  const ours = ownGenerationFilter(deps, client.row.key)
  const since =
    seen === undefined || seen.generation === active ? [] : await generationsSince(client, seen.generation)
  return {
    facts,
    contact: {
      state: 'reached',
      at: clock.now(),
      ms,
      generation: active,
      user: { key: facts.me.key, name: facts.me.name },
      permissions: facts.me.permissions,
      approvals,
      moved: since.filter((row) => !ours(row)).length,
    },
  }
}

function requireLineage({ key, name, url, org }: RemoteRow, facts: RemoteFacts): void {
  if (facts.lineage === org.lineage) return
  throw new AlmanacError(
    'conflict.lineage_changed',
    `${name} (${url}) was the org ${org.name} (${org.environment}) with lineage ${org.lineage}, and is now ${facts.name} (${facts.environment}) with lineage ${facts.lineage}. If that is intended, pin it again. Nothing was sent.`,
    {
      details: [
        {
          remote: key,
          url,
          pinned: org.lineage,
          found: facts.lineage,
          name: facts.name,
          environment: facts.environment,
        },
      ],
      origin: originOf(key),
    },
  )
}

/** Stores what a contact found, or why it failed; returns the result, or rethrows the error. */
export async function recordContact<T extends { contact: RemoteContact; facts: RemoteFacts }>(
  { write, clock }: Pick<RemotesDeps, 'write' | 'clock'>,
  key: string,
  contacting: Promise<T>,
): Promise<T> {
  const keep = (change: (row: RemoteRow) => RemoteRow): Promise<void> =>
    write((transactor) => {
      const row = transactor.remotes.get(key)
      if (row !== undefined) transactor.remotes.put(change(row))
    })
  try {
    const reached = await contacting
    const { name, environment } = reached.facts
    // Name and environment may change there; the lineage is pinned.
    await keep((row) => ({ ...row, org: { ...row.org, name, environment }, contact: reached.contact }))
    return reached
  } catch (error) {
    const contact: RemoteContact = { state: 'failed', at: clock.now(), problem: problemOf(error, key) }
    await keep((row) => ({ ...row, contact }))
    throw error
  }
}
