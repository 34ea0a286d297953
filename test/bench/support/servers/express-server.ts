// Bare Express: a route that returns a record from memory, `node express-server.ts <records as JSON>`.
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import express from 'express'
import { answerUsage } from './usage.ts'

const records = new Map(Object.entries(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as object))
const app = express()
app.get('/data/v3/company/:id', (request, response) => {
  const record: unknown = records.get(request.params.id)
  if (record === undefined) response.status(404).end()
  else response.json(record)
})
const server = app.listen(0, '127.0.0.1', () => {
  answerUsage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => void server.close())
})
