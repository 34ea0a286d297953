// Checks that an org whose process was killed during an apply is intact: the file, every digest, every fact, and the
// same number everywhere.
import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import { setDigest, type Digest } from '#kernel/change/index.ts'
import { openOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { ENTRIES } from './sample.ts'

export interface Whole {
  generation: number
  value: number
  /** What is wrong; empty if the org is intact. */
  faults: string[]
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Opens the org as any process would, which recovers its log, and checks it. */
export function checkWhole(dir: string): Whole {
  const org = openOrg(dir)
  const generation = org.activeGeneration()
  const amounts = new Set<string>()
  let entries = 0
  for (const entry of org.pin().view.entriesOf('fee')) {
    amounts.add(String(entry.body.values['amount']))
    entries += 1
  }
  const { rowsByKey } = org.pin().slice.sets.get('fee')!
  const pure = org.pin().view.get('calc_function', 'doubled')!.body.expression
  org.store.close()

  const faults = fileFaults(dir, generation)
  const [amount = ''] = amounts
  const value = Number(amount)
  if (amounts.size !== 1) faults.push(`the entries carry ${amounts.size} numbers: ${[...amounts].join(', ')}`)
  if (entries !== ENTRIES || rowsByKey.size !== ENTRIES)
    faults.push(`${entries} entries, ${rowsByKey.size} rows`)
  if (pure !== `x * 2 + ${value}`) faults.push(`the function returns ${pure}, but the value is ${value}`)
  return { generation, value, faults }
}

function fileFaults(dir: string, active: number): string[] {
  const db = new Database(orgFile(dir), { readonly: true })
  const all = <Row>(sql: string, ...values: unknown[]): Row[] => db.prepare(sql).all(...values) as Row[]
  const faults: string[] = []
  try {
    const integrity = db.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') faults.push(`integrity_check: ${String(integrity)}`)
    if ((db.pragma('foreign_key_check') as unknown[]).length > 0) faults.push('a foreign key leads nowhere')
    for (const { digest, json } of all<{ digest: string; json: string }>('SELECT digest, json FROM content'))
      if (digest !== `jcs1:sha256:${sha256(json)}`) faults.push(`content ${digest} is not what it is called`)
    const newest = all<{ n: number }>('SELECT max(generation) AS n FROM generation')[0]!.n
    if (newest !== active) faults.push(`generation ${newest} is written, ${active} is active`)
    const beyond = all<{ n: number }>('SELECT count(*) AS n FROM placement WHERE from_gen > ?', active)[0]!.n
    if (beyond > 0) faults.push(`${beyond} placements lie beyond generation ${active}`)
    faults.push(...countFaults(all), ...setFaults(all))
  } finally {
    db.close()
  }
  return faults
}

type All = <Row>(sql: string, ...values: unknown[]) => Row[]

/** Each generation has the versions and the audit rows that it declares. */
function countFaults(all: All): string[] {
  const rows = all<{ generation: number; changeCount: number; auditCount: number }>(
    `SELECT generation, added + changed + renamed + removed AS changeCount,
       (SELECT count(*) FROM audit a WHERE a.generation = g.generation) AS auditCount FROM generation g`,
  )
  return rows.flatMap(({ generation, changeCount, auditCount }) =>
    changeCount === auditCount
      ? []
      : [`generation ${generation} changes ${changeCount} components and audits ${auditCount}`],
  )
}

/** The stored digest of each set, at each generation in which it changed, against its entries there. */
function setFaults(all: All): string[] {
  const facts = all<{ set_key: string; from_gen: number; digest: Digest }>('SELECT * FROM set_fact')
  return facts.flatMap(({ set_key, from_gen, digest }) => {
    const at = 'from_gen <= ? AND to_gen > ?'
    const [definition] = all<{ digest: Digest }>(
      `SELECT digest FROM placement WHERE type = 'config_set' AND key = ? AND ${at}`,
      set_key,
      from_gen,
      from_gen,
    )
    const entries = all<{ digest: Digest }>(
      `SELECT digest FROM placement WHERE type = 'config_entry' AND set_key = ? AND ${at} ORDER BY key`,
      set_key,
      from_gen,
      from_gen,
    )
    const actual = setDigest(
      definition!.digest,
      entries.map((entry) => entry.digest),
      sha256,
    )
    return actual === digest
      ? []
      : [`set ${set_key} at generation ${from_gen} has another digest than its entries`]
  })
}
