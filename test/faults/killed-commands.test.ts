// Each command that writes is killed at several moments: the org is intact, and the next command works. Commands
// declare whether they write, so a new one fails this suite until it is listed.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { effectiveAccess } from '../../server/access/index.ts'
import { enginesOf, type Engines } from '../../server/compose/engines.ts'
import { initOrg, openOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { checkFolder } from '../../server/compose/check.ts'
import { recordsFile } from '../../server/storage/sqlite/records/records-file.ts'
import { commands } from '../../server/cli/commands.ts'
import { billingComponents, clerk } from '../support/billing-org.ts'
import { buildComponent } from '../support/metadata.ts'
import { fee, feeSet } from '../support/fees.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { readerClient, readers } from '../support/small-org.ts'
import { clientSecret } from '../support/remote-requests.ts'
import { pathOf } from '../../server/pipeline/directory-layout.ts'
import { bundled } from '../support/bundled.mjs'

const cli = bundled('vitest', 'cli')
const folder = mkdtempSync(join(tmpdir(), 'almanac-killed-'))
const dir = join(folder, 'org')
const list = join(folder, 'list')
const table = join(folder, 'fees.csv')
const customers = join(folder, 'customers.csv')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function writeList(amount: string): void {
  for (const component of [feeSet(), fee('a', amount)] as { type: 'config_set'; key: string }[]) {
    const path = join(list, pathOf(component.type, component.key))
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, JSON.stringify(component))
  }
}

let far: TestServer
let secret: string
afterAll(() => far.close())

beforeAll(async () => {
  far = await runningServer()
  secret = await clientSecret(far)
  const org = initOrg(dir, { name: 'Killed', environment: 'test' })
  const components = [
    ...[feeSet(), fee('a', '1'), readers, readerClient],
    ...(billingComponents() as (typeof readers)[]),
    clerk() as typeof readers,
    buildComponent('external_credential', 'bank', {
      ...{ scheme: 'basic', principals: [{ key: 'service', mode: 'named', grantedTo: ['administrator'] }] },
    }),
    buildComponent('permission_set', 'operators', { systemPermissions: ['operations.manage'] }),
  ]
  await org.write((transactor) =>
    transactor.people.putUser({
      ...{ key: 'rea', name: 'Rea', active: true, locale: null, passwordHash: null },
      ...{ groups: [], permissionSets: ['administrator'] },
    }),
  )
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await org.write((transactor) =>
    transactor.people.putUser({
      ...{ key: 'cleo', name: 'Cleo', active: true, locale: null, passwordHash: null },
      ...{ groups: [], permissionSets: ['clerk', 'operators'] },
    }),
  )
  await org.close()
  writeFileSync(table, 'name,amount\nx,5\ny,6\n')
  writeFileSync(
    customers,
    ['name,country', ...Array.from({ length: 500 }, (_, i) => `C${i},DE`), ''].join('\n'),
  )
})

interface Called {
  args: string[] | ((round: number) => string[] | Promise<string[]>)
  /** Written to stdin. */
  input?: () => string
  /** The exit code of a call that is not killed; 0 if omitted. */
  exit?: number
}

/** The org in this process, which is closed before a command opens it. */
async function beside<T>(work: (engines: Engines) => Promise<T>): Promise<T> {
  const org = openOrg(dir)
  try {
    return await work(enginesOf(org))
  } finally {
    await org.close()
  }
}

let turn = 0
/** A change request by a user that waits for approval. */
function request(actor: string): Promise<{ id: string; digest: string }> {
  const components = [fee('r', String((turn += 1)))]
  return beside(async ({ requests }) => {
    const source = { kind: 'components', components } as const
    return (await requests.create({ actor, correlationId: 'c' }, { source })).request
  })
}

async function firstCustomer(): Promise<string> {
  const db = new Database(recordsFile(orgFile(dir)), { readonly: true })
  const id = db.prepare('SELECT record FROM record_change ORDER BY sequence LIMIT 1').pluck().get() as string
  db.close()
  return id
}

/** An archive of one value of a new record. */
async function anArchive(): Promise<string> {
  return beside(async (engines) => {
    const { records, org } = engines
    const generation = org.activeGeneration()
    const access = org.store.read((reader) =>
      effectiveAccess(reader, 'cleo', reader.generations.view(generation)),
    )
    const caller = { access, generation, scopePath: {} }
    const fields = { number: `K-${(turn += 1)}`, tax_point: '2022-01-01', net: '1' }
    const item = { op: 'insert', object: 'invoice', fields } as const
    const { results } = await records.save({
      ...{ generation, user: 'cleo', correlationId: 'c', scopePath: {} },
      ...{ items: [item], allOrNone: true, reply: 'ids' },
    })
    const [saved] = results
    if (!saved!.ok) throw new Error(saved!.error.message)
    const by = { actor: 'cleo', correlationId: 'c' }
    return (await records.archive(caller, by, { object: 'invoice', id: saved!.id, field: 'total' })).archive
  })
}

const remote = (key: string): string[] => ['--remote', key]
const proof = (): string[] => ['--url', far.url, '--name', 'Far', '--client', 'local', '--secret-stdin']
const password = 'harbour lantern orchid 47 meadow'

/** The arguments of each command that writes to an org, in an order in which each finds what it needs. */
const writing: Readonly<Record<string, Called>> = {
  apply: { args: [list] },
  rollback: { args: ['2'] },
  revert: {
    args: async () => {
      const components = [fee('reverted', String((turn += 1)))]
      const { generation } = await beside(({ org }) =>
        org.apply({ source: { kind: 'components', components }, actor: 'admin' }),
      )
      return [String(generation)]
    },
  },
  import: {
    args: ['fee', table, '--map', '{"key":"name","values":{"amount":"amount"}}', '--apply'],
  },
  request: { args: (round) => [list, '--title', `Round ${round}`, '--rationale', `round ${round}`] },
  approve: {
    args: async () => {
      const { id, digest } = await request('rea')
      return [id, '--digest', digest]
    },
  },
  reject: { args: async () => [(await request('rea')).id, '--reason', 'no'] },
  withdraw: { args: async () => [(await request('admin')).id] },
  comment: { args: async () => [(await request('rea')).id, 'a comment'] },
  schedule: { args: async () => [(await request('admin')).id, '2099-01-01'] },
  drafts: {
    args: async () => {
      await beside(({ org }) =>
        org.saveDraft({
          ...{ id: `config_entry/fee.d${(turn += 1)}`, text: '{}', version: 0, viewer: null },
          actor: { actor: 'admin', correlationId: 'c' },
        }),
      )
      return ['--discard']
    },
  },
  'user add': { args: (round) => [`user${round}`] },
  'user set': { args: ['rea', '--name', 'Rea again'] },
  'user password': { args: ['rea', '--password-stdin'], input: () => password },
  'user sign-out': {
    args: async () => {
      await beside(({ access }) => access.openSession({ actor: 'rea', correlationId: 'c' }, 'Firefox'))
      return ['rea']
    },
  },
  'group set': { args: (round) => [`group${round}`, '--name', `Group ${round}`] },
  'group remove': {
    args: async () => {
      const key = `gone${(turn += 1)}`
      const by = { actor: 'admin', correlationId: 'c', isOperator: true }
      await beside(({ access }) => access.putGroup(by, { key, name: key }))
      return [key]
    },
  },
  'credential set': {
    args: ['bank', 'service', '--stdin'],
    input: () => JSON.stringify({ username: 'ada', password }),
  },
  'credential promote': {
    args: async () => {
      const by = { actor: 'admin', correlationId: 'c', isOperator: true }
      const values = { username: 'ada', password }
      const place = { credential: 'bank', principal: 'service' }
      for (const _ of ['current', 'next'])
        await beside(({ credentials }) => credentials.stage(by, place, values))
      return ['bank', 'service', '--grace-hours', '0']
    },
  },
  'vault rewrap': { args: [] },
  token: { args: ['--client', 'reader'] },
  'client secret': { args: ['reader'] },
  budget: { args: (round) => [`${64 + round}MiB`] },
  evaluate: { args: ['1 + 1', '--store', 'sum'] },
  recompute: {
    args: async () => {
      const [result] = await beside(({ org }) =>
        Promise.resolve(org.store.read((reader) => reader.results.list({ limit: 1 }))),
      )
      return ['--result', result!.id, '--store']
    },
  },
  'records insert': { args: (round) => ['customer', `name=Round ${round}`, 'country=DE', '--as', 'cleo'] },
  'records import': { args: ['customer', customers, '--as', 'cleo'] },
  'records erase': {
    args: async (round) => ['customer', await firstCustomer(), '--reason', `round ${round}`, '--as', 'cleo'],
  },
  replay: { args: ['--object', 'customer', '--as', 'cleo'] },
  rebind: { args: ['--object', 'customer', '--as', 'cleo'] },
  'archive create': { args: ['--object', 'customer', '--as', 'cleo'] },
  'archive remove': { args: async () => [await anArchive(), '--as', 'cleo'] },
  'remote add': { args: (round) => [`far${round}`, ...proof()], input: () => secret },
  'remote test': { args: ['far0'] },
  'remote pin': {
    args: async () => [
      'far0',
      '--lineage',
      String((await far.studio('GET', '/setup/v3/org')).body['lineage']),
    ],
  },
  // The two differ.
  compare: { args: remote('far0'), exit: 3 },
  push: {
    args: async () => {
      const components = [fee('pushed', String((turn += 1)))]
      await beside(({ org }) => org.apply({ source: { kind: 'components', components }, actor: 'admin' }))
      return [...remote('far0'), '--pick', 'config_entry/fee.pushed', '--rationale', 'pushed']
    },
  },
  'remote remove': { args: (round) => [`far${round}`] },
  purge: { args: ['--before', '3'] },
  // Last: nothing is applied directly if approvals are required.
  approvals: { args: (round) => [String(round)] },
}

/** `init` is killed in killed-init.test.ts; `serve` runs until it is stopped. */
const elsewhere = ['init', 'serve']

/** Of each command, at random moments. */
const kills = Number(process.env['ALMANAC_KILLS'] ?? 1)

/** Runs a command and kills it after `delay` milliseconds. Returns its exit code; null if it was killed. */
function killed(args: readonly string[], delay: number, input = ''): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, ...args, '--org', dir], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    // It may have ended before it read everything.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const timer = setTimeout(() => child.kill('SIGKILL'), delay)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}

function writesWhole(): void {
  const { ok, findings } = checkFolder(dir)
  expect({ ok, findings }).toEqual({ ok: true, findings: [] })
}

describe('a command that is killed', () => {
  it('includes every command that writes', () => {
    const names = commands.flatMap(({ name, writes }) => (writes === true ? [name] : []))
    expect([...Object.keys(writing), ...elsewhere].sort()).toEqual(names.sort())
  })

  it.each(Object.keys(writing))('leaves the org whole: %s', async (name) => {
    const { args, input, exit = 0 } = writing[name]!
    let took = 0
    for (let round = 0; round <= kills; round += 1) {
      writeList(String(2 + round))
      const called = [...name.split(' '), ...(typeof args === 'function' ? await args(round) : args)]
      // Runs once without a kill, which shows that its arguments are right; then it is killed while it runs: it writes
      // in the second half of that time.
      const started = performance.now()
      if (round === 0) expect(await killed(called, 60_000, input?.())).toBe(exit)
      else await killed(called, took * (0.4 + 0.6 * Math.random()), input?.())
      if (round === 0) took = performance.now() - started
      writesWhole()
    }
    const org = openOrg(dir)
    await org.write((transactor) => transactor.settings.put('after', name))
    await org.close()
  })

  it('would be noticed if it wrote in parts', () => {
    const db = new Database(orgFile(dir))
    // The first half of an apply, without its second half.
    db.pragma('foreign_keys = OFF')
    db.exec(`INSERT INTO audit (generation, component, kind) VALUES (NULL, 'config_entry/fee.a', 'changed')`)
    db.close()
    expect(checkFolder(dir).ok).toBe(false)
  })
})
