// The commands that change rows of a virtual object, over a folder and over the URL of a server, with the ETags of its source.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFaultySource, type FaultySource } from '../conformance/odata/faulty-source.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'
import { virtualOrg } from '../support/virtual-org.ts'
import { almanacBeside, scratch, type Ran } from './almanac.ts'

const dir = scratch()
let source: FaultySource
let test: TestServer
let token: string
beforeAll(async () => {
  source = await startFaultySource()
  test = await runningServer()
  await virtualOrg(test, { url: source.url })
  const issued = await test.beside(({ access }) =>
    access.issueToken({ actor: 'admin', correlationId: 'c', isOperator: true } as never, 'seller'),
  )
  token = issued.token
})
afterAll(async () => {
  await test.close()
  await source.close()
})
beforeEach(() => {
  source.rows = [0, 1, 2].map((at) => ({
    ...{ Id: `A/${at}`, Name: `Order ${at}`, City: 'Graz', Amount: at * 10 },
    ...{ Placed: '2026-01-01', Open: true, Status: 'Sent', Version: 1, Pieces: at },
  }))
  source.faults = {}
  source.requests = []
})

const names = (): unknown[] => source.rows.map(({ Name }) => Name)
const sentChanges = (): string[] =>
  source.requests.flatMap(({ method, headers }) =>
    method === 'GET' ? [] : [`${method} ${headers['if-match'] === undefined ? 'without' : 'with'} an ETag`],
  )

describe.each(['a folder', 'a URL'])('rows of a virtual object over %s', (place) => {
  const run = (...args: string[]): Promise<Ran> =>
    almanacBeside([
      ...args,
      ...(place === 'a URL' ? ['--org', test.url, '--token', token] : ['--org', test.dir, '--as', 'seller']),
    ])
  const done = async (...args: string[]): Promise<Ran> => {
    const ran = await run(...args)
    expect([ran.code, ran.err]).toEqual([0, ''])
    return ran
  }

  it('are added', async () => {
    const { out } = await done('records', 'insert', 'sales_order', 'id_text=B/1', 'name=New', 'amount=1.50')
    expect(out).toBe('B/1\n')
    expect(source.rows.at(-1)).toMatchObject({ Id: 'B/1', Name: 'New', Amount: '1.50' })
    const again = await run('records', 'insert', 'sales_order', 'id_text=C/1', 'amount=much')
    expect(again.code).toBe(1)
    expect(again.err).toContain('record.invalid')
    expect(names()).toHaveLength(4)
  })

  it('are exported with their versions, changed in the file, and imported again', async () => {
    const file = join(dir, 'rows.csv')
    await done('records', 'export', 'sales_order', '--out', file)
    expect(readFileSync(file, 'utf8')).toMatch(/^id,version,id_text,name/)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('Order 1', 'Changed 1').replace('Order 2', 'Changed 2'),
    )
    // Another user of the source has changed a row since.
    source.rows[2] = { ...source.rows[2]!, Name: 'Changed there', Version: 2 }
    const ran = await run('records', 'import', 'sales_order', file, '--json')
    expect(ran.code).toBe(1)
    expect(ran.json()).toMatchObject({
      ...{ saved: 2, failed: 1, computed: ['version_no', 'double'] },
      failures: [{ line: 4, code: 'conflict.stale_version' }],
    })
    expect(names()).toEqual(['Order 0', 'Changed 1', 'Changed there'])
    expect(new Set(sentChanges())).toEqual(new Set(['PATCH with an ETag']))
  })

  it('are changed as they are now if the file has no versions, and added without an id', async () => {
    const file = join(dir, 'rows.jsonl')
    writeFileSync(
      file,
      '{"id":"A/1","name":"Changed 1"}\n{"id_text":"B/2","name":"New"}\n{"id":"X/9","name":"No"}\n',
    )
    const ran = await run('records', 'import', 'sales_order', file, '--json')
    expect(ran.json()).toMatchObject({ saved: 2, failures: [{ line: 3, code: 'record.not_found' }] })
    expect(names()).toEqual(['Order 0', 'Changed 1', 'Order 2', 'New'])
    expect(sentChanges()).toEqual(['PATCH with an ETag', 'POST without an ETag'])
  })

  it('have no external ID apart from their own', async () => {
    const file = join(dir, 'rows.csv')
    writeFileSync(file, 'id_text,name\nA/1,x\n')
    const { code, err } = await run('records', 'import', 'sales_order', file, '--external-id', 'id_text')
    expect([code, err]).toEqual([2, expect.stringContaining('sales_order is virtual')])
  })
})
