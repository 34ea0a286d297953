// Remote orgs, their listings, contents that were fetched from them, and their jobs.
import type { Component } from '#kernel/components/body-types.ts'
import type { RemoteJobSummary, RemoteJobState } from '#wire/remotes.ts'
import type {
  ListingRow,
  RemoteJobRow,
  RemoteReader,
  RemoteRow,
  RemoteTransactor,
} from '../../ports/remotes.ts'
import { all, one, run, type Db } from './db.ts'
import { requireDigest } from './verified-content.ts'

interface Json {
  json: string
}

interface StoredJob extends Json {
  id: string
  remote: string
  state: RemoteJobState
}

export function remoteReader(db: Db): RemoteReader {
  return {
    get: (key) => {
      const row = one<Json>(db, 'SELECT json FROM remote WHERE key = ?', key)
      return row === undefined ? undefined : (JSON.parse(row.json) as RemoteRow)
    },
    list: () =>
      all<Json>(db, 'SELECT json FROM remote ORDER BY key').map(({ json }) => JSON.parse(json) as RemoteRow),
    listing: (remote, which) =>
      one<ListingRow>(db, 'SELECT * FROM remote_listing WHERE remote = ? AND which = ?', remote, which),
    listingPart: (listing, place) =>
      one<{ lines: string }>(
        db,
        'SELECT lines FROM remote_listing_part WHERE listing = ? AND place = ?',
        listing,
        place,
      )?.lines,
    revision: (remote, which) =>
      one(db, 'SELECT generation, at FROM remote_listing WHERE remote = ? AND which = ?', remote, which),
    content: (digest) => contentOf(db, digest),
    hasContent: (digest) =>
      one(db, 'SELECT 1 FROM content WHERE digest = ?', digest) !== undefined ||
      one(db, 'SELECT 1 FROM remote_content WHERE digest = ?', digest) !== undefined,
    fetchedDigests: (after, limit) =>
      all<{ digest: string }>(
        db,
        'SELECT digest FROM remote_content WHERE digest > ? ORDER BY digest LIMIT ?',
        after,
        limit,
      ).map(({ digest }) => digest),
    job: (id) => {
      const row = one<StoredJob>(db, 'SELECT * FROM remote_job WHERE id = ?', id)
      return row === undefined ? undefined : jobOf(row)
    },
    // Reads only a number, even for a job with thousands of changes.
    generationsMadeByJobs: (remote, limit) =>
      new Set(
        all<{ generation: number }>(
          db,
          `SELECT json ->> '$.job.outcome.generation' AS generation FROM remote_job
             WHERE remote = ? AND state = 'done' AND json ->> '$.job.outcome.generation' IS NOT NULL
             AND json ->> '$.job.kind' IN ('push', 'rollback') ORDER BY id DESC LIMIT ?`,
          remote,
          limit,
        ).map(({ generation }) => generation),
      ),
    jobSummaries: ({ remote, states, limit }) =>
      all<RemoteJobSummary>(
        db,
        `SELECT id, remote, state, json ->> '$.job.kind' AS kind, json ->> '$.job.step' AS step,
           json ->> '$.job.done' AS done, json ->> '$.job.total' AS total FROM remote_job
           WHERE remote = ? AND state IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?`,
        remote,
        JSON.stringify(states),
        limit,
      ),
    jobs: ({ remote, states, limit }) =>
      all<StoredJob>(
        db,
        `SELECT * FROM remote_job WHERE (@remote IS NULL OR remote = @remote)
           AND (@states IS NULL OR state IN (SELECT value FROM json_each(@states))) ORDER BY id DESC LIMIT @limit`,
        { remote: remote ?? null, states: states === undefined ? null : JSON.stringify(states), limit },
      ).map(jobOf),
  }
}

/** @throws AlmanacError storage.damaged */
function contentOf(db: Db, digest: string): Component | undefined {
  const own = one<Json>(db, 'SELECT json FROM content WHERE digest = ?', digest)
  if (own !== undefined) requireDigest(`content/${digest}`, digest, own.json)
  const row = own ?? one<Json>(db, 'SELECT json FROM remote_content WHERE digest = ?', digest)
  return row === undefined ? undefined : (JSON.parse(row.json) as Component)
}

function jobOf({ id, remote, state, json }: StoredJob): RemoteJobRow {
  const { job, work } = JSON.parse(json) as Pick<RemoteJobRow, 'job' | 'work'>
  // Plans of older releases contain every finding, and not their number.
  if (job.plan !== null) job.plan.findingsTotal ??= job.plan.findings.length
  return { id, remote, state, job, work }
}

export function remoteTransactor(db: Db, reader: RemoteReader): RemoteTransactor {
  return {
    ...reader,
    // Replacing the row would delete what belongs to it.
    put: (row) =>
      void run(
        db,
        'INSERT INTO remote (key, json) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET json = excluded.json',
        row.key,
        JSON.stringify(row),
      ),
    delete: (key) => void run(db, 'DELETE FROM remote WHERE key = ?', key),
    putListing: ({ remote, which, generation, at, listing }) =>
      void run(
        db,
        `INSERT OR REPLACE INTO remote_listing (remote, which, generation, at, listing)
         VALUES (@remote, @which, @generation, @at, @listing)`,
        { remote, which, generation, at, listing },
      ),
    deleteListings: (remote) => void run(db, 'DELETE FROM remote_listing WHERE remote = ?', remote),
    deleteIncomingListing: (remote) =>
      void run(db, "DELETE FROM remote_listing WHERE remote = ? AND which = 'incoming'", remote),
    putListingPart: (listing, place, lines) =>
      void run(
        db,
        'INSERT INTO remote_listing_part (listing, place, lines) VALUES (?, ?, ?)',
        listing,
        place,
        lines,
      ),
    deleteOrphanedListingPart: () =>
      run(
        db,
        `DELETE FROM remote_listing_part WHERE rowid = (SELECT rowid FROM remote_listing_part
           WHERE listing NOT IN (SELECT listing FROM remote_listing) LIMIT 1)`,
      ) > 0,
    putFetchedContent: (digest, component) =>
      void run(
        db,
        'INSERT OR IGNORE INTO remote_content (digest, json) VALUES (?, ?)',
        digest,
        JSON.stringify(component satisfies Component),
      ),
    deleteFetchedContent: (digest) => void run(db, 'DELETE FROM remote_content WHERE digest = ?', digest),
    putJob: ({ id, remote, state, job, work }) =>
      void run(
        db,
        `INSERT INTO remote_job (id, remote, state, json) VALUES (@id, @remote, @state, @json)
           ON CONFLICT (id) DO UPDATE SET state = excluded.state, json = excluded.json`,
        { id, remote, state, json: JSON.stringify({ job, work }) },
      ),
  }
}
