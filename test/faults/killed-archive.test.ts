// A job that archives values is killed at any moment and continued: each value is archived once, and none without its bundle.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkFolder } from '../../server/compose/check.ts'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, openOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { verifyBundle } from '../../server/kernel/evidence/index.ts'
import { recordsFile } from '../../server/storage/sqlite/records/records-file.ts'
import { billingComponents, clerk } from '../support/billing-org.ts'
import { bundled } from '../support/bundled.mjs'
import { buildComponent } from '../support/metadata.ts'

const cli = bundled('vitest', 'cli')
const folder = mkdtempSync(join(tmpdir(), 'almanac-killed-archive-'))
const dir = join(folder, 'org')
const many = 120
const perRecord = 3
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(async () => {
  const org = initOrg(dir, { name: 'Killed', environment: 'test' })
  const operators = buildComponent('permission_set', 'operators', {
    systemPermissions: ['operations.manage'],
  })
  const components = [...billingComponents(), clerk(), operators] as (typeof operators)[]
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await org.write((transactor) =>
    transactor.people.putUser({
      ...{ key: 'cleo', name: 'Cleo', active: true, locale: null, passwordHash: null },
      ...{ groups: [], permissionSets: ['administrator', 'clerk', 'operators'] },
    }),
  )
  const { results } = await enginesOf(org).records.save({
    ...{ generation: org.activeGeneration(), user: 'cleo', correlationId: 'c', scopePath: {} },
    items: Array.from({ length: many }, (_, index) => ({
      ...{ op: 'insert', object: 'invoice' },
      fields: { number: `K-${index}`, tax_point: '2022-01-01', net: String(index) },
    })),
    ...{ allOrNone: true, reply: 'ids' },
  })
  expect(results.every(({ ok }) => ok)).toBe(true)
  await org.close()
})

function killed(delay: number): Promise<unknown> {
  const args = ['archive', 'create', '--object', 'invoice', '--bound-before', '99']
  const child = spawn(process.execPath, [cli, ...args, '--as', 'cleo', '--org', dir], { stdio: 'ignore' })
  const timer = setTimeout(() => child.kill('SIGKILL'), delay)
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}

/** Continues the open jobs, as a server does at its start. */
async function continued(): Promise<void> {
  const org = openOrg(dir)
  const { records } = enginesOf(org)
  const open = await org.records.store().read((reader) => reader.openJobs())
  for (const { id } of open) {
    const step = { id, generation: org.activeGeneration() }
    while ((await records.runStep(step)).state === 'processing');
  }
  await org.close()
}

interface Counts {
  bundles: number
  /** Values with a bundle. */
  values: number
  /** Values with a mark. */
  marked: number
}

function counts(): Counts {
  const db = new Database(recordsFile(orgFile(dir)), { readonly: true })
  const count = (sql: string): number => db.prepare(sql).pluck().get() as number
  const bindings = db.prepare(`SELECT name FROM pragma_table_info('record_1') WHERE name GLOB 'b*'`).pluck()
  const marked = (bindings.all() as string[]).map((name) =>
    count(`SELECT count(*) FROM record_1 JOIN record_binding b ON b.id = ${name} WHERE b.generation = -1`),
  )
  const found = {
    bundles: count('SELECT count(*) FROM record_evidence'),
    values: count('SELECT count(*) FROM (SELECT DISTINCT record, field FROM record_evidence)'),
    marked: marked.reduce((sum, each) => sum + each, 0),
  }
  db.close()
  return found
}

it('each value is archived once, with its bundle, however often the job is killed', async () => {
  // On a busy machine, the first kills come before the job is created.
  for (
    let kill = 0, delay = 500;
    kill < 5 || (counts().bundles === 0 && kill < 12);
    kill += 1, delay *= 1.35
  ) {
    await killed(delay + Math.random() * 200)
    const { bundles, values, marked } = counts()
    expect([values, marked]).toEqual([bundles, bundles])
    expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
  }
  await continued()
  const all = many * perRecord
  expect(counts()).toEqual({ bundles: all, values: all, marked: all })
  const org = openOrg(dir)
  const bundles = await org.records.store().read(async (reader) => {
    const archives = await reader.archives({ by: null, after: null, limit: 10 })
    const pages = await Promise.all(archives.map(({ id }) => reader.evidence(id, 0, 10)))
    return pages.flat()
  })
  await org.close()
  expect(bundles.length).toBeGreaterThan(0)
  for (const { bundle } of bundles) expect(verifyBundle(bundle)).toMatchObject({ ok: true })
}, 120_000)
