import { describe, expect, it } from 'vitest'
import { codesWithPaths, component, findingsOf } from '../rule-fixture.ts'

const principals = [{ key: 'service' }]
const external = (scheme: string) => component('external_credential/bank', { scheme, principals })
const named = (url: string) =>
  component('named_credential/gateway', { url, externalCredential: 'bank', principal: 'service' })

describe('namedCredentialRules', () => {
  it.each([
    ['a client certificate over http', 'mtls', 'http://bank.example', ['credential.url /body/url']],
    ['a client certificate over https', 'mtls', 'https://bank.example', []],
    ['a password over http', 'basic', 'http://localhost:9', []],
  ])('%s', (_name, scheme, url, expected) => {
    const found = findingsOf(named(url), { others: [external(scheme)] })
    expect(codesWithPaths(found)).toEqual(expected)
  })
})
