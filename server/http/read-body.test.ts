import { connect, type AddressInfo } from 'node:net'
import express from 'express'
import type { Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { readBody, streamBody, type BodyLimits } from './read-body.ts'

let server: Server | undefined
afterEach(() => void server?.close())

/** `streams`: for a route that reads the body while it arrives. */
async function portOf(limits: BodyLimits, streams = false): Promise<number> {
  const app = express()
  app.post('/', async (request, response) => {
    try {
      const blocks: Uint8Array[] = []
      if (streams) for await (const chunk of streamBody(request, limits)) blocks.push(chunk)
      else blocks.push(...(await readBody(request, response, limits)))
      response.end(Buffer.concat(blocks))
    } catch (error) {
      response.status((error as AlmanacError).kind.status).end((error as AlmanacError).code)
    }
  })
  server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server!.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

/** Writes the pieces with a pause before each, and reads until the connection closes. */
function exchange(port: number, head: string, pieces: string[], pauseMs: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n\r\n`)
    const left = [...pieces]
    const timer = setInterval(() => {
      const piece = left.shift()
      if (piece !== undefined && socket.writable) socket.write(piece)
    }, pauseMs)
    socket.on('data', (data) => (answer += data.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      resolve(answer)
    })
  })
}

describe('a body that arrives', () => {
  it('in pieces is read whole', async () => {
    const port = await portOf({ bytes: 100 })
    expect(await exchange(port, 'Content-Length: 6', ['abc', 'def'], 10)).toMatch(/200 OK[\s\S]*abcdef$/)
  })

  it('more slowly than a person can type is refused, and the connection closed', async () => {
    const port = await portOf({ bytes: 100, graceMs: 300 })
    const answer = await exchange(port, 'Content-Length: 90', Array(90).fill('a') as string[], 50)
    expect(answer).toMatch(/408 Request Timeout[\s\S]*limit\.slow_request/)
  })

  it('with a declared length above the limit is refused unread', async () => {
    const port = await portOf({ bytes: 10 })
    expect(await exchange(port, 'Content-Length: 90', ['a'], 10)).toContain('request.too_large')
  })

  it('larger than the limit is refused with the limit', async () => {
    const port = await portOf({ bytes: 10 })
    const answer = await exchange(port, 'Transfer-Encoding: chunked', ['14\r\n01234567890123456789\r\n'], 10)
    expect(answer).toMatch(/413 Payload Too Large[\s\S]*request\.too_large/)
  })
})

describe('a body that is read while it arrives', () => {
  it('is read whole, piece by piece', async () => {
    const port = await portOf({ bytes: 100 }, true)
    expect(await exchange(port, 'Content-Length: 6', ['abc', 'def'], 10)).toMatch(/200 OK[\s\S]*abcdef$/)
  })

  it('is refused if it stalls, or arrives too slowly', async () => {
    const port = await portOf({ bytes: 100, graceMs: 200 }, true)
    for (const pieces of [['a'], Array(90).fill('a') as string[]])
      expect(await exchange(port, 'Content-Length: 90', pieces, 50)).toMatch(
        /408 Request Timeout[\s\S]*limit\.slow_request/,
      )
  })

  it('is refused with its limit', async () => {
    const port = await portOf({ bytes: 10 }, true)
    const answer = await exchange(port, 'Transfer-Encoding: chunked', ['14\r\n01234567890123456789\r\n'], 10)
    expect(answer).toMatch(/413 Payload Too Large[\s\S]*request\.too_large/)
  })
})
