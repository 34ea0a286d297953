import { describe, expect, it } from 'vitest'
import { addressRule } from './address-rule.ts'

const served = addressRule({ isOwnMachine: false, allowed: ['10.1.2.3', '172.20.0.0/16', 'peer.example'] })

describe('the addresses that a served org can reach', () => {
  const cases: [address: string, name: string, allowed: boolean][] = [
    ['93.184.216.34', 'almanac.example', true],
    ['2606:2800:220:1::1', 'almanac.example', true],
    ['127.0.0.1', '127.0.0.1', false],
    ['127.8.8.8', 'almanac.example', false],
    ['::1', 'localhost', false],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1', false],
    ['10.9.9.9', 'inner.example', false],
    ['10.1.2.3', 'inner.example', true],
    ['172.16.0.1', 'inner.example', false],
    ['172.20.9.9', 'inner.example', true],
    ['192.168.1.1', 'router', false],
    ['192.168.1.1', 'peer.example', true],
    ['169.254.169.254', 'metadata', false],
    ['fe80::1', 'link', false],
    ['fd00::1', 'unique', false],
    ['0.0.0.0', '0.0.0.0', false],
    ['255.255.255.255', 'all', false],
    ['64:ff9b::7f00:1', 'NAT64 of loopback', false],
    ['64:ff9b::10.9.9.9', 'NAT64 of a private network', false],
    ['64:ff9b::8.8.8.8', 'NAT64 of a public address', true],
    ['64:ff9b:1::1', 'local NAT64', false],
    ['2002:7f00:1::', '6to4 of loopback', false],
    ['2002:a09:909::1', '6to4 of a private network', false],
    ['::127.0.0.1', 'compatible', false],
    ['::a09:909', 'compatible, in groups', false],
    ['::ffff:a09:909', 'mapped, in groups', false],
    ['::ffff:0:7f00:1', 'translated', false],
    ['2001:0:808:808::f5f6:f6f6', 'Teredo of a private client', false],
    ['2001:0:7f00:1::f7f7:f7f7', 'Teredo over a private server', false],
    ['fec0::1', 'site-local', false],
    ['100::1', 'discard-only', false],
    ['2001:db8::1', 'documentation', false],
    ['::ffff:10.1.2.3', 'mapped, and allowed', true],
  ]
  it.each(cases)('%s, requested as %s: %s', (address, name, allowed) => {
    expect(served(address, name) === null).toBe(allowed)
  })

  it('a refusal names the address, the name that resolved to it, and how to fix it', () => {
    expect(served('10.9.9.9', 'inner.example')).toBe(
      "10.9.9.9 (inner.example resolves to it) is in this server's network. Its operator can allow it with --allow-target",
    )
  })

  it('are unlimited for a studio on its owner’s machine', () => {
    expect(addressRule({ isOwnMachine: true, allowed: [] })('127.0.0.1', 'localhost')).toBeNull()
  })
})
