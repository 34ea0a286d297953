import { describe, expect, it } from 'vitest'
import { siteOf, type ListenOptions } from './listener.ts'

const site = (options: Partial<ListenOptions>) =>
  siteOf({ host: '127.0.0.1', port: 4680, ...options }, { port: 4680, loopback: true, lineage: '01234567-8' })
const behindProxy = true
const publicUrl = 'https://almanac.example.com'

describe('siteOf', () => {
  it.each<[string, Partial<ListenOptions>, string | null]>([
    ['the public URL', { behindProxy, publicUrl }, publicUrl],
    ['its port', { behindProxy, publicUrl: `${publicUrl}:8443/` }, `${publicUrl}:8443`],
    ['the loopback address', {}, 'http://127.0.0.1:4680'],
    ['the host', { host: '::1' }, 'http://[::1]:4680'],
    ['the first public host', { host: '0.0.0.0', publicHosts: ['a.example', 'b'] }, 'http://a.example:4680'],
    ['nothing', { host: '::' }, null],
  ])('takes the URL from %s', (_name, options, expected) => {
    expect(site(options).publicUrl).toBe(expected)
    expect(site(options).issuer).toBe(expected ?? 'http://127.0.0.1:4680')
  })

  it('has the public URL as its issuer, and its host beside the own names', () => {
    const { issuer, hosts } = site({ behindProxy, publicUrl, publicHosts: ['other.example.com'] })
    expect(issuer).toBe(publicUrl)
    for (const host of ['almanac.example.com', 'almanac.example.com:443', 'other.example.com'])
      expect([host, hosts.has(host)]).toEqual([host, true])
    expect(hosts.has('elsewhere.example.com')).toBe(false)
  })
})
