// The evidence of archived values. What the bundles of an archive have in common, such as the revisions of a set, is
// stored once.
import { createPublicKey, hash, verify } from 'node:crypto'
import { canonicalJson, type JsonValue } from '#kernel/change/canonical.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ArchivedReads, FieldId, StoredBinding } from '#kernel/records/index.ts'
import type {
  ArchivedEvidence,
  EvidencePage,
  RecordArchive,
  RecordArchiveTransactor,
} from '../../../ports/record-archives.ts'
import { all, one, run, type Db } from '../db.ts'
import { keepsNone } from './bindings.ts'

/** Counts the bundles of each field without reading them. */
export const evidenceFields = 'CREATE INDEX record_evidence_field ON record_evidence (archive, field);'

export const archives = `
CREATE TABLE record_archive (
  id TEXT PRIMARY KEY,
  object TEXT NOT NULL,
  at TEXT NOT NULL,
  by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE record_evidence (
  place INTEGER PRIMARY KEY,
  archive TEXT NOT NULL,
  record TEXT NOT NULL,
  field INTEGER NOT NULL,
  head TEXT NOT NULL
) STRICT;
CREATE INDEX record_evidence_archive ON record_evidence (archive, place);
CREATE INDEX record_evidence_record ON record_evidence (record, field);
CREATE TABLE record_evidence_part (
  archive TEXT NOT NULL,
  digest TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (archive, digest)
) STRICT, WITHOUT ROWID;
${evidenceFields}
`

/** A page of bundles ends after so many characters: readers wait for it. */
const pageChars = 256 * 1024

/** The members of a bundle whose items are stored once for an archive. */
const shared = ['components', 'sets'] as const

type Bundle = Record<string, JsonValue> & Record<(typeof shared)[number], JsonValue[]>

interface EvidenceRow {
  place: number
  archive: string
  head: string
}

export function archiveStatements(db: Db): RecordArchiveTransactor {
  const archivesOf = (clause: string, ...values: unknown[]): RecordArchive[] =>
    all<RecordArchive>(db, `SELECT id, object, at, by FROM record_archive ${clause}`, ...values)
  return {
    archive: async (id) => archivesOf('WHERE id = ?', id)[0],
    archives: async ({ by, after, limit }) => {
      const clause = 'WHERE (@by IS NULL OR by = @by) AND (@at IS NULL OR (at, id) < (@at, @id))'
      const values = { by, at: after?.at ?? null, id: after?.id ?? null, limit }
      return archivesOf(`${clause} ORDER BY at DESC, id DESC LIMIT @limit`, values)
    },
    countEvidence: async (archive) => {
      const sql = 'SELECT field, count(*) AS count FROM record_evidence WHERE archive = ? GROUP BY field'
      return all<{ field: FieldId; count: number }>(db, sql, archive)
    },
    evidence: async (archive, after, limit) => {
      const sql = `SELECT place, archive, head FROM record_evidence WHERE archive = ? AND place > ?
        ORDER BY place LIMIT ?`
      const found: EvidencePage = []
      let chars = 0
      for (const row of all<EvidenceRow>(db, sql, archive, after, limit)) {
        const bundle = joined(db, row)
        found.push({ place: row.place, bundle })
        chars += bundle.length
        if (chars > pageChars) break
      }
      return found
    },
    evidenceOf: async (archive, record, field) => {
      const sql = `SELECT place, archive, head FROM record_evidence WHERE archive = ? AND record = ? AND field = ?
        ORDER BY place DESC LIMIT 1`
      const row = one<EvidenceRow>(db, sql, archive, record, field)
      return row === undefined ? undefined : joined(db, row)
    },
    archivedReads: async () => {
      const sql = 'SELECT text FROM record_binding WHERE generation = ?'
      const marks = all<{ text: string }>(db, sql, keepsNone).map(({ text }) =>
        withoutDates((JSON.parse(text) as StoredBinding).archived!),
      )
      const bundles = all<{ reads: string }>(
        db,
        "SELECT DISTINCT head -> '$.reads' AS reads FROM record_evidence WHERE reads IS NOT NULL",
      ).map(({ reads }) => JSON.parse(reads) as ArchivedReads)
      return [...new Map([...marks, ...bundles].map((reads) => [JSON.stringify(reads), reads])).values()]
    },
    addEvidence: async (archive, evidence) => addEvidence(db, archive, evidence),
    removeArchive: async (id) => {
      run(db, 'DELETE FROM record_evidence WHERE archive = ?', id)
      run(db, 'DELETE FROM record_evidence_part WHERE archive = ?', id)
      run(db, 'DELETE FROM record_archive WHERE id = ?', id)
    },
    removeEvidence: async (condition) => {
      const rows = all<{ place: number; record: string; field: FieldId }>(
        db,
        'SELECT place, record, field FROM record_evidence',
      )
      const places = rows.flatMap(({ place, record, field }) => (condition(record, field) ? [place] : []))
      for (const place of places) run(db, 'DELETE FROM record_evidence WHERE place = ?', place)
    },
  }
}

function addEvidence(
  db: Db,
  { id, object, at, by }: RecordArchive,
  added: readonly ArchivedEvidence[],
): void {
  run(
    db,
    `INSERT INTO record_archive (id, object, at, by) VALUES (@id, @object, @at, @by) ON CONFLICT (id) DO NOTHING`,
    { id, object, at, by },
  )
  for (const { record, field, reads, bundle } of added)
    run(
      db,
      'INSERT INTO record_evidence (archive, record, field, head) VALUES (@archive, @record, @field, @head)',
      { archive: id, record, field, head: headOf(db, id, bundle, reads) },
    )
}

/** Stores the parts of a bundle, and returns the rest with their digests. */
function headOf(db: Db, archive: string, text: string, reads: ArchivedReads): string {
  const bundle = JSON.parse(text) as Bundle
  const digestOf = (part: JsonValue): string => {
    const own = JSON.stringify(part)
    const digest = hash('sha256', own, 'base64url')
    run(
      db,
      `INSERT INTO record_evidence_part (archive, digest, text) VALUES (@archive, @digest, @own)
       ON CONFLICT (archive, digest) DO NOTHING`,
      { archive, digest, own },
    )
    return digest
  }
  const digests = shared.map((member) => [member, bundle[member].map(digestOf)])
  return JSON.stringify({ ...bundle, ...Object.fromEntries(digests), reads: withoutDates(reads) })
}

/** The dates of a record are not what distinguishes what two values read. */
function withoutDates({ object, field, isText, own, dates, along }: ArchivedReads): ArchivedReads {
  return { object, field, isText, own, dates: dates.map((date) => ({ ...date, value: null })), along }
}

/** @throws AlmanacError `storage.damaged` if it is not what was signed */
function joined(db: Db, { archive, head }: EvidenceRow): string {
  const partOf = (digest: JsonValue): JsonValue => {
    const sql = 'SELECT text FROM record_evidence_part WHERE archive = ? AND digest = ?'
    return JSON.parse(one<{ text: string }>(db, sql, archive, digest)!.text) as JsonValue
  }
  try {
    const { reads: _reads, ...bundle } = JSON.parse(head) as Bundle
    for (const member of shared) bundle[member] = bundle[member].map(partOf)
    const text = canonicalJson(bundle)
    if (isSigned(text, bundle)) return `${text}\n`
  } catch (error) {
    const { code } = error as { code?: string }
    if (error instanceof AlmanacError || code?.startsWith('SQLITE') === true) throw error
    // It is not JSON, has no valid key, or a part is missing.
  }
  throw new AlmanacError(
    'storage.damaged',
    `A bundle of the archive ${archive} is damaged or was changed by another program. Run "almanac check" and restore the folder from a backup.`,
  )
}

/** The signature is the last member of the canonical text, and covers the others. */
function isSigned(text: string, { signature, publicKey }: Record<string, JsonValue>): boolean {
  const last = `,"signature":"${String(signature)}"}`
  if (!text.endsWith(last)) return false
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(String(publicKey), 'hex').toString('base64url') },
    format: 'jwk',
  })
  return verify(
    null,
    Buffer.from(`${text.slice(0, -last.length)}}`),
    key,
    Buffer.from(String(signature), 'hex'),
  )
}
