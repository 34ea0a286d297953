import { describe, expect, it } from 'vitest'
import { createRouteFinder } from './data-edge.ts'
import type { RouteHandler } from './route-handler.ts'
import { routes } from './routes/index.ts'

const names = new Map<RouteHandler, string>()
const find = createRouteFinder(routes, ({ name }) => {
  const handler = async (): Promise<void> => undefined
  names.set(handler, name)
  return handler
})

function found(method: string, url: string): unknown {
  const route = find(method, url)
  return route === null ? null : [names.get(route.handle), route.params]
}

describe('the finder of routes of the data API', () => {
  it('finds each route with its parameters, a fixed segment before a parameter', () => {
    expect(found('GET', '/data/v3')).toEqual(['listObjects', {}])
    expect(found('GET', '/data/v3/note/describe')).toEqual(['describeObject', { object: 'note' }])
    expect(found('GET', '/data/v3/note/1-a?fields=a%20b')).toEqual([
      'getRecord',
      { object: 'note', id: '1-a' },
    ])
    expect(found('PATCH', '/data/v3/note/1')).toEqual(['updateRecord', { object: 'note', id: '1' }])
    expect(found('POST', '/data/v3/note')).toEqual(['insertRecord', { object: 'note' }])
    expect(found('POST', '/data/v3/batch')).toEqual(['saveObjectBatch', {}])
    expect(found('POST', '/data/v3/note/batch')).toEqual(['saveBatch', { object: 'note' }])
    expect(found('GET', '/data/v3/note/1/values/title')).toEqual([
      'explainValue',
      { object: 'note', id: '1', field: 'title' },
    ])
  })

  it('finds a route for every path of the data API', () => {
    for (const { method, path, name } of routes.filter(({ path }) => /^\/data\/v3(\/|$)/.test(path)))
      expect(found(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'))).toMatchObject([name, {}])
  })

  it('leaves to Express what Express has rules for', () => {
    for (const url of [
      ...[
        '/data/v3/',
        '/data/v3/note/1/',
        '/data/v3//1',
        '/data/v3/n%6fte/1',
        '/data/v3/note/1#a',
        '/Data/v3',
      ],
      ...[
        '/data/v3/note/1?a#b',
        '/data/v33',
        '/data/v3x/note',
        '/data/v3/note/1/nothing',
        '/data/v2',
        '/healthz',
      ],
      ...['http://127.0.0.1/data/v3', '/data/v3/note/ä', '/data/v3/note;a/1', '/setup/v3/org', '*', ''],
    ])
      expect(found('GET', url), url).toBeNull()
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'get', 'TRACE'])
      expect(found(method, '/data/v3/note/1'), method).toBeNull()
    expect(found('GET', '/data/v3/batch')).toBeNull()
  })
})
