// Checks generations: the newest is the active one, each changed what it records, and each set has the digest of its
// entries.
import { hash } from 'node:crypto'
import { setDigestOfText, type Digest } from '#kernel/change/index.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { digestAt } from '../components.ts'
import { all, one, type Db } from '../db.ts'
import { setReader } from '../sets.ts'
import { fault } from './fault.ts'

const sha256 = (text: string): string => hash('sha256', text, 'hex')

export function generationFaults(db: Db): Finding[] {
  const active = one<{ active: number }>(db, 'SELECT active FROM org')?.active ?? 0
  const newest = one<{ n: number }>(db, 'SELECT coalesce(max(generation), 0) AS n FROM generation')!.n
  const counts = all<{ generation: number; changeCount: number; auditCount: number }>(
    db,
    `SELECT g.generation, g.added + g.changed + g.renamed + g.removed AS changeCount,
       (SELECT count(*) FROM audit a WHERE a.generation = g.generation
          AND (a.before_digest IS NOT NULL OR a.after_digest IS NOT NULL)) AS auditCount FROM generation g`,
  )
  return [
    ...(active === newest
      ? []
      : [
          fault(
            'integrity.generation',
            `generation/${newest}`,
            `Generation ${newest} is the newest, but ${active} is active.`,
          ),
        ]),
    ...counts
      .filter(({ changeCount, auditCount }) => changeCount !== auditCount)
      .map(({ generation, changeCount, auditCount }) =>
        fault(
          'integrity.generation',
          `generation/${generation}`,
          `Generation ${generation} changed ${changeCount} component${changeCount === 1 ? '' : 's'}, but the audit lists ${auditCount}.`,
        ),
      ),
    ...setFaults(db),
  ]
}

function setFaults(db: Db): Finding[] {
  const sets = setReader(db)
  const facts = all<{ set_key: string; from_gen: number; digest: Digest; purged: number }>(
    db,
    `SELECT f.set_key, f.from_gen, f.digest, coalesce(g.purged, 0) AS purged
     FROM set_fact f LEFT JOIN generation g ON g.generation = f.from_gen`,
  )
  return facts.flatMap(({ set_key: set, from_gen: at, digest, purged }) => {
    // Not every version of a purged generation is stored.
    if (purged === 1) return []
    const definition = digestAt(db, at, `config_set/${set}`) ?? digestAt(db, at, `feature_flag/${set}`)
    const isRight =
      definition !== undefined && setDigestOfText(definition, sets.entryDigests(at, set), sha256) === digest
    return isRight
      ? []
      : [
          fault(
            'integrity.set_digest',
            `config_set/${set}`,
            `At generation ${at}, the digest of ${set} differs from the digest of its definition and entries.`,
          ),
        ]
  })
}
