// SIGKILL while deliveries arrive and are dispatched: every acknowledged delivery is applied once.
import { spawn, type ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkFolder } from '../../server/compose/check.ts'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, openOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { openDeliveries } from '../../server/compose/open-webhooks.ts'
import { points, secret, type PlantedFault, type Point } from './webhooks/points.ts'
import { bundled } from '../support/bundled.mjs'

const kills = Number(process.env['ALMANAC_KILLS'] ?? 4)

const components = [
  {
    ...{ type: 'object', key: 'note', label: 'Note' },
    body: { fields: [{ key: 'text', type: 'text', required: true }] },
  },
  {
    ...{ type: 'automation', key: 'note_delivery', label: 'Note a delivery' },
    body: {
      ...{ phase: 'invocable', params: [{ key: 'id', type: 'text' }], grantedTo: ['writer'] },
      actions: [{ key: 'note', type: 'create', object: 'note', values: { text: 'id' } }],
    },
  },
  {
    ...{ type: 'permission_set', key: 'writer', label: 'Writer' },
    body: {
      objects: { note: { create: true, read: true, viewAll: true } },
      fields: { 'note.text': { read: true, edit: true } },
    },
  },
  {
    ...{ type: 'external_credential', key: 'sender', label: 'Sender' },
    body: { scheme: 'api_key', principals: [{ key: 'sender' }] },
  },
]
const endpoint = {
  ...{ type: 'webhook_endpoint', key: 'incoming', label: 'Incoming' },
  body: {
    ...{ path: '/hooks/incoming', runAs: 'ada', dispatch: { automation: 'note_delivery' } },
    verification: {
      ...{ scheme: 'hmac_sha256', externalCredential: 'sender' },
      ...{ signatureHeader: 'X-Signature', signedPayload: '{body}' },
    },
    dedupe: { idHeader: 'X-Id' },
  },
}

let folder: string
let dir: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-webhook-kills-'))
  dir = join(folder, 'org')
  const org = initOrg(dir, { name: 'Deliveries', environment: 'test' })
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  const apply = async (...list: object[]): Promise<void> =>
    void (await org.apply({ source: { kind: 'components', components: list }, actor: 'admin' }))
  await apply(...components)
  const { access, credentials } = enginesOf(org)
  await access.addUser(by, { key: 'ada', name: 'Ada', permissionSets: ['writer'] })
  await apply(endpoint)
  await credentials.stage(by, { credential: 'sender', principal: 'sender' }, { key: secret })
  await org.close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Server {
  child: ChildProcess
  url: string
}

async function serve(): Promise<Server> {
  const child = spawn(process.execPath, [bundled('vitest', 'webhooks-child'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  return { child, url: line.toString().trim() }
}

/** Returns whether it was acknowledged. */
async function send(url: string, id: string): Promise<boolean> {
  const body = JSON.stringify({ id })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  try {
    const headers = { 'x-id': id, 'x-signature': signature, 'content-type': 'application/json' }
    const { status } = await fetch(`${url}/hooks/incoming`, { method: 'POST', headers, body })
    return status === 202 || status === 200
  } catch {
    return false
  }
}

async function notes(org: OpenedOrg): Promise<string[]> {
  return org.records.store().read(async (reader) => {
    const { names } = org.records.snapshots.active()
    const text = names.fieldIds('note').get('text')!
    const stored = await reader.page(names.objectId('note')!, null, 1_000_000)
    return stored.map(({ values }) => String(values.get(text))).sort()
  })
}

describe('a server that receives deliveries', () => {
  it(
    `is killed ${kills} times, and applies each acknowledged delivery once`,
    async () => {
      const acknowledged = new Set<string>()
      const waiting = new Set<string>()
      let number = 0
      for (let kill = 0; kill < kills; kill += 1) {
        const { child, url } = await serve()
        const ended = once(child, 'close')
        let isAlive = true
        const enough = Promise.withResolvers<void>()
        let left = 2 + Math.floor(Math.random() * 60)
        const senders = Array.from({ length: 4 }, async () => {
          while (isAlive) {
            // What was not acknowledged is sent again, as senders do.
            const [again] = waiting
            const id = again ?? `d${(number += 1)}`
            waiting.delete(id)
            if (await send(url, id)) {
              acknowledged.add(id)
              left -= 1
              if (left === 0) enough.resolve()
            } else {
              waiting.add(id)
              return
            }
          }
        })
        await enough.promise
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
        child.kill('SIGKILL')
        await ended
        isAlive = false
        await Promise.all(senders)
      }
      expect(acknowledged.size).toBeGreaterThan(kills)

      // Claims of the processes that were killed have ended by then.
      const now = (): string => new Date(Date.now() + 60_000).toISOString()
      const clock = { now, today: () => now().slice(0, 10) }
      const org = openOrg(dir, { clock })
      const errors: unknown[] = []
      const worker = openDeliveries(org, {
        dispatch: enginesOf(org).records.dispatch,
        onError: (error) => errors.push(error),
      })
      worker.wake()
      await expect
        .poll(
          async () => {
            const { pending, dispatching } = await org.records
              .store()
              .read((reader) => reader.countDeliveries({}))
            return pending + dispatching
          },
          { timeout: 60_000, interval: 200 },
        )
        .toBe(0)
      await worker.close()
      const written = await notes(org)
      await org.close()
      expect(errors).toEqual([])
      expect(new Set(written).size).toBe(written.length)
      // One that was stored without being acknowledged counts too; none is lost.
      for (const id of acknowledged) expect(written).toContain(id)
      for (const id of written) expect(acknowledged.has(id) || waiting.has(id)).toBe(true)
      expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
    },
    60_000 + kills * 15_000,
  )
})

/** Runs a child over the org until it is killed at the point, or has ended. Returns what it has acknowledged. */
async function receiveAll(
  stop: Point | '-',
  { fault = '-', ahead = 0, ids }: { fault?: PlantedFault; ahead?: number; ids: readonly string[] },
): Promise<string[]> {
  const child = spawn(
    process.execPath,
    [bundled('vitest', 'webhook-points-child'), dir, stop, fault, String(ahead), ...ids],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let printed = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    printed += text
    if (printed.includes(`at ${stop}\n`)) child.kill('SIGKILL')
  })
  await once(child, 'close')
  if (stop !== '-') expect(printed).toContain(`at ${stop}\n`)
  return [...printed.matchAll(/^acknowledged (.*)$/gm)].map(([, id]) => id!)
}

/** Kills a process at a point, sends again what it had not acknowledged, and returns what was applied. */
async function appliedAfter(stop: Point, fault: PlantedFault = '-'): Promise<string[]> {
  const ids = ['one', 'two', 'three']
  const acknowledged = await receiveAll(stop, { fault, ids })
  expect(acknowledged).toEqual(['verified', 'stored'].includes(stop) ? [] : ids)
  const again = ids.filter((id) => !acknowledged.includes(id))
  // By then, the claims of the process that was killed have ended.
  expect(await receiveAll('-', { fault, ahead: 60_000, ids: again })).toEqual(again)
  const org = openOrg(dir)
  const written = await notes(org)
  await org.close()
  expect(checkFolder(dir)).toMatchObject({ ok: true })
  return written
}

describe('a process that is killed between two steps of a delivery', () => {
  it.each(points)('at the point "%s" applies each delivery once', { timeout: 120_000 }, async (point) => {
    expect(await appliedAfter(point)).toEqual(['one', 'three', 'two'])
  })

  it('would apply a delivery twice if nothing recognised a repeated one', { timeout: 120_000 }, async () => {
    expect(await appliedAfter('stored', 'repeats')).toEqual(['one', 'one', 'three', 'two'])
  })
})
