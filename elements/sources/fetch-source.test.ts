// A source over HTTP: the request, how it is aborted, and which responses are not valid.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LookupRequest } from '../lookup-field/types.ts'
import { fetchSource } from './fetch-source.ts'

const request = (more: Partial<LookupRequest> = {}): LookupRequest => ({
  ...{ matchFields: [], displayFields: [], signal: new AbortController().signal },
  ...more,
})

describe('fetchSource', () => {
  let server: Server
  let host = ''
  const requests: { url: string; headers: Record<string, unknown> }[] = []
  const ended: string[] = []
  beforeAll(async () => {
    server = createServer(({ url = '', headers }, response) => {
      requests.push({ url, headers })
      response.on('close', () => response.writableFinished || ended.push(url))
      if (url.startsWith('/slow')) return
      if (url.startsWith('/broken')) response.statusCode = 500
      if (url.startsWith('/rows/gone')) response.statusCode = 404
      const option = { value: '1', label: url }
      const body = url.startsWith('/rows/') ? option : [option]
      response.end(url.startsWith('/text') ? 'no JSON' : JSON.stringify(body))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    Object.assign(globalThis, { document: { baseURI: `${host}/page/` } })
  })
  afterAll(async () => {
    Reflect.deleteProperty(globalThis, 'document')
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })

  it('requests a URL with query, fields and cursor, and with its own parameters', async () => {
    const source = fetchSource('../rows?of=me', { init: () => ({ headers: { 'x-tenant': 'a' } }) })
    await source('ä b&c', request({ matchFields: ['name', 'city'], displayFields: ['city'], cursor: 20 }))
    expect(requests.at(-1)).toMatchObject({
      url: '/rows?of=me&q=%C3%A4+b%26c&match=name%2Ccity&display=city&cursor=20',
      headers: { 'x-tenant': 'a' },
    })
    await source('a', request({ cursor: { after: 7 } }))
    expect(requests.at(-1)).toMatchObject({ url: '/rows?of=me&q=a&cursor=%7B%22after%22%3A7%7D' })
    expect(await source('', request())).toEqual([{ value: '1', label: '/rows?of=me&q=' }])
  })

  it('uses a custom URL, and reads the response with a custom function', async () => {
    const source = fetchSource((query, { cursor }) => `${host}/own/${query}/${String(cursor)}`, {
      answer: (body, query) => ({ options: body as never, next: query, total: 9 }),
    })
    expect(await source('x', request({ cursor: 'c' }))).toEqual({
      ...{ options: [{ value: '1', label: '/own/x/c' }], next: 'x', total: 9 },
    })
  })

  it.each([
    ['a different status', '/broken', /500/],
    ['invalid JSON', '/text', SyntaxError],
  ])('fails on %s', async (_what, path, error) => {
    await expect(fetchSource(host + path)('', request())).rejects.toThrow(error)
  })

  it('is aborted by the element’s signal, down to the connection', async () => {
    const abort = new AbortController()
    const answer = fetchSource(`${host}/slow`)('', request({ signal: abort.signal }))
    await expect.poll(() => requests.at(-1)?.url).toBe('/slow?q=')
    abort.abort()
    await expect(answer).rejects.toThrow('abort')
    await expect.poll(() => ended).toEqual(['/slow?q='])
  })

  it('finds one record by its id, at the URL for records', async () => {
    const source = fetchSource('/rows', {
      init: { headers: { 'x-tenant': 'a' } },
      resolve: (value) => new URL(`/rows/${value}`, host),
    })
    const { signal } = new AbortController()
    expect(await source.resolve!('p1', { signal })).toEqual({ value: '1', label: '/rows/p1' })
    expect(requests.at(-1)).toMatchObject({ url: '/rows/p1', headers: { 'x-tenant': 'a' } })
    expect(await source.resolve!('gone', { signal })).toBeNull()
    const broken = fetchSource('/rows', { resolve: () => `${host}/broken` })
    await expect(broken.resolve!('p1', { signal })).rejects.toThrow('500')
    expect(fetchSource('/rows').resolve).toBeUndefined()
  })
})
