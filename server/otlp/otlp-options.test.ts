import { describe, expect, it } from 'vitest'
import { exportHeaders, tracesUrl } from './index.ts'

describe('the endpoint of a collector', () => {
  it.each([
    ['http://localhost:4318', 'http://localhost:4318/v1/traces'],
    ['http://localhost:4318/', 'http://localhost:4318/v1/traces'],
    ['https://otlp.example.com/tenant', 'https://otlp.example.com/tenant/v1/traces'],
    ['https://otlp.example.com/v1/traces', 'https://otlp.example.com/v1/traces'],
    ['http://[::1]:4318', 'http://[::1]:4318/v1/traces'],
  ])('%s is %s', (endpoint, url) => {
    expect(tracesUrl({ endpoint })).toBe(url)
  })

  it.each([
    'localhost:4318',
    'grpc://localhost:4317',
    '',
    'http://u:canary@x',
    'http://x?key=canary',
    'http://x#canary',
  ])('%s is refused, and not repeated', (endpoint) => {
    let message = ''
    try {
      tracesUrl({ endpoint })
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).toContain('--otlp-endpoint')
    expect(message).not.toContain('canary')
  })
})

describe('the headers of an export', () => {
  it.each<[string | undefined, Record<string, string>]>([
    [undefined, {}],
    ['', {}],
    ['api-key=a%20b, X-Tenant = t1 ,', { 'api-key': 'a b', 'x-tenant': 't1' }],
    ['authorization=Basic%20eDp5PQ==', { authorization: 'Basic eDp5PQ==' }],
  ])('of %s', (headers, expected) => {
    expect(exportHeaders({ endpoint: '', headers })).toEqual(expected)
  })

  it.each(['canary', '=canary', 'a b=canary', 'a=%0acanary', 'a=%', 'ok=1,canary', 'Content-Type=canary'])(
    '%s is refused by its place, and not repeated',
    (headers) => {
      let message = ''
      try {
        exportHeaders({ endpoint: '', headers })
      } catch (error) {
        message = (error as Error).message
      }
      expect(message).toContain('OTEL_EXPORTER_OTLP_HEADERS')
      expect(message).not.toContain('canary')
    },
  )
})
