// Bare Express with the same work: verifies each delivery, and stores it with its keys before it responds, those that arrive at
// the same time in one transaction: `node webhook-express-server.ts <file> <secret>`.
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'
import express from 'express'
import { answerUsage } from './usage.ts'

const [file = '', secret = ''] = process.argv.slice(2)
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(`CREATE TABLE delivery (id TEXT PRIMARY KEY, state TEXT, at TEXT, facts TEXT) WITHOUT ROWID;
  CREATE TABLE body (id TEXT PRIMARY KEY, bytes BLOB);
  CREATE TABLE key (key TEXT PRIMARY KEY, delivery TEXT, until TEXT) WITHOUT ROWID;
  CREATE INDEX delivery_state ON delivery (state, id)`)
const insert = db.prepare('INSERT INTO delivery (id, state, at, facts) VALUES (?, ?, ?, ?)')
const insertBody = db.prepare('INSERT INTO body (id, bytes) VALUES (?, ?)')
const insertKey = db.prepare('INSERT OR IGNORE INTO key (key, delivery, until) VALUES (?, ?, ?)')

interface Waiting {
  id: string
  keys: readonly string[]
  body: Buffer
  answer(isNew: boolean): void
}
let waiting: Waiting[] = []
const store = db.transaction((all: readonly Waiting[]): boolean[] => {
  const at = new Date().toISOString()
  return all.map(({ id, keys, body }) => {
    if (keys.some((key) => insertKey.run(key, id, at).changes === 0)) return false
    insert.run(id, 'pending', at, JSON.stringify({ bytes: body.length, attempts: [] }))
    insertBody.run(id, body)
    return true
  })
})
const write = (): void => {
  const all = waiting
  waiting = []
  const results = store.immediate(all)
  for (const [at, { answer }] of all.entries()) answer(results[at]!)
}

const app = express()
app.post('/hooks/bench', express.raw({ type: () => true, limit: '2mb' }), (request, response) => {
  const body = request.body as Buffer
  const timestamp = request.get('x-timestamp') ?? ''
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  const sent = Buffer.from(request.get('x-signature') ?? '', 'hex')
  if (!isFresh || sent.length !== expected.length || !timingSafeEqual(sent, expected))
    return void response.status(401).end()
  const id = randomUUID()
  const signed = createHash('sha256').update(`${timestamp}.`).update(body).digest('base64url')
  if (waiting.length === 0) setImmediate(write)
  waiting.push({
    ...{ id, body, keys: [request.get('x-id') ?? '', signed] },
    answer: (isNew) => void response.status(isNew ? 202 : 200).json({ delivery: id }),
  })
})
const server = app.listen(0, '127.0.0.1', () => {
  answerUsage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => void server.close())
})
