import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { insertOnce, type Inserted, type UnsureInsert } from './insert-once.ts'

interface Sent {
  key: string
  body: string
}
let sent: Sent[] = []
let replies: (number | Error)[] = []
let kept: UnsureInsert | null = null

const problem = (status: number, code: string): Response =>
  new Response(JSON.stringify({ code, detail: code }), { status })

beforeEach(() => {
  sent = []
  kept = null
  vi.stubGlobal(
    'fetch',
    (_: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
      sent.push({ key: headers['idempotency-key']!, body })
      const reply = replies.shift()!
      if (reply instanceof Error) return Promise.reject(reply)
      if (reply === 409) return Promise.resolve(problem(409, 'conflict.idempotency_key'))
      if (reply >= 400) return Promise.resolve(problem(reply, 'other'))
      return Promise.resolve(
        new Response(JSON.stringify({ id: 'r1', version: 1, fields: {} }), { status: 201 }),
      )
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

const add = (name: string): Promise<Inserted> =>
  insertOnce({
    ...{ object: 'buyer', values: { name }, app: null, isRemote: false, unsure: kept },
    keep: (unsure) => (kept = unsure),
  })

it('the key stays the same while the outcome is unknown, and changes after that', async () => {
  replies = [new Error('lost'), 503, 401, 201, 201]
  await expect(add('a')).rejects.toThrow()
  await expect(add('a')).rejects.toThrow()
  await expect(add('a')).rejects.toThrow()
  expect(kept).toMatchObject({ values: { name: 'a' } })
  expect((await add('a')).record.id).toBe('r1')
  expect(kept).toBeNull()
  await add('b')
  expect(new Set(sent.slice(0, 4).map(({ key }) => key)).size).toBe(1)
  expect(sent[4]!.key).not.toBe(sent[0]!.key)
})

it('a refused record is not unsure, so its next save has a different key', async () => {
  replies = [422, 201]
  await expect(add('a')).rejects.toThrow()
  expect(kept).toBeNull()
  await add('b')
  expect(sent[0]!.key).not.toBe(sent[1]!.key)
})

it('values that changed after a lost response lead to the record that was added', async () => {
  replies = [new Error('lost'), 409, 201]
  await expect(add('a')).rejects.toThrow()
  expect((await add('b')).values).toEqual({ name: 'a' })
  expect(sent.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { name: 'a' },
    { name: 'b' },
    { name: 'a' },
  ])
  expect(kept).toBeNull()
})
