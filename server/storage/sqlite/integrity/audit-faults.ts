// The audit as a chain of digests: a row that was changed, added or removed breaks the chain, even the last one.
import type { Finding } from '#kernel/errors/finding.ts'
import { auditHead, chainDigest, chainedRows } from '../audit-chain.ts'
import type { Db } from '../db.ts'
import { fault } from './fault.ts'

const code = 'integrity.audit_chain'

export function auditFaults(db: Db): Finding[] {
  const faults: Finding[] = []
  let last = { id: 0, digest: '' }
  for (const { digest, ...row } of chainedRows(db)) {
    if (row.id !== last.id + 1)
      faults.push(fault(code, `audit/${row.id}`, `Audit rows before ${row.id} are missing.`))
    if (chainDigest(last.digest, row) !== digest)
      faults.push(
        fault(
          code,
          `audit/${row.id}`,
          `Audit row ${row.id}, of ${row.component}, or the row before it was changed by something other than Almanac.`,
        ),
      )
    last = { id: row.id, digest }
  }
  const head = auditHead(db)
  if (head.id > last.id)
    faults.push(
      fault(code, `audit/${head.id}`, `The last audit rows are missing: ${last.id + 1} to ${head.id}.`),
    )
  else if (head.id !== last.id || head.digest !== last.digest)
    faults.push(fault(code, `audit/${last.id}`, 'The end of the audit is not what Almanac wrote last.'))
  return faults
}
