// Imported descriptions, stored once for each content.
import { zstdDecompressSync } from 'node:zlib'
import type { ServiceTypes } from '#kernel/components/external-service/service-types.ts'
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import type {
  DescriptionFacts,
  DescriptionReader,
  DescriptionTransactor,
  NewDescription,
} from '../../ports/descriptions.ts'
import { one, run, type Db } from './db.ts'

interface Stored {
  hash: string
  title: string
  version: string
  bytes: number
  imported_at: string
  file_digest: string
  operations: string
}

/** Characters of JSON whose parsed types a connection keeps; the types of a large service have a few million. */
const typesCache = 16 * 1024 * 1024

export function descriptionReader(db: Db): DescriptionReader {
  const parsed = new RecentCache<ServiceTypes>(typesCache)
  return {
    facts: (hash) => {
      const sql = `SELECT hash, title, version, bytes, imported_at, file_digest, operations
        FROM description WHERE hash = ?`
      const row = one<Stored>(db, sql, hash)
      return row === undefined ? undefined : factsOf(row)
    },
    types: (hash) => {
      const known = parsed.get(hash)
      if (known !== undefined) return known
      const row = one<{ types: string }>(db, 'SELECT types FROM description WHERE hash = ?', hash)
      if (row === undefined) return undefined
      const text = expand(row.types)
      const types = JSON.parse(text) as ServiceTypes
      parsed.put(hash, types, text.length)
      return types
    },
    bundleText: (hash) => {
      const row = one<{ bundle: string }>(db, 'SELECT bundle FROM description WHERE hash = ?', hash)
      return row === undefined ? undefined : expand(row.bundle)
    },
  }
}

export function descriptionTransactor(db: Db, reader: DescriptionReader): DescriptionTransactor {
  return {
    ...reader,
    deleteUnused: (importedBefore) => deleteUnused(db, importedBefore),
    put: ({
      hash,
      title,
      version,
      bytes,
      importedAt,
      fileDigest,
      operations,
      types,
      bundle,
    }: NewDescription) =>
      void run(
        db,
        `INSERT OR IGNORE INTO description
           (hash, title, version, bytes, imported_at, file_digest, operations, types, bundle)
         VALUES (@hash, @title, @version, @bytes, @importedAt, @fileDigest, @operations, @types, @bundle)`,
        {
          ...{ hash, title, version, bytes, importedAt, fileDigest },
          operations: JSON.stringify(operations),
          types: Buffer.from(types).toString('base64'),
          bundle: Buffer.from(bundle).toString('base64'),
        },
      ),
  }
}

const expand = (stored: string): string => zstdDecompressSync(Buffer.from(stored, 'base64')).toString('utf8')

function factsOf(row: Stored): DescriptionFacts {
  const { hash, title, version, bytes } = row
  return {
    ...{ hash, title, version, bytes, importedAt: row.imported_at, fileDigest: row.file_digest },
    operations: JSON.parse(row.operations) as DescriptionFacts['operations'],
  }
}

function deleteUnused(db: Db, importedBefore: string): void {
  run(
    db,
    `DELETE FROM description WHERE imported_at < ?
     AND hash NOT IN (
       SELECT c.json ->> '$.body.spec.hash' FROM content c
       WHERE c.json ->> '$.type' = 'external_service' AND c.json ->> '$.body.spec.hash' IS NOT NULL)
     AND NOT EXISTS (SELECT 1 FROM change_request_item i WHERE instr(i.text, description.hash) > 0)
     AND NOT EXISTS (SELECT 1 FROM draft d WHERE instr(d.text, description.hash) > 0)`,
    importedBefore,
  )
}
