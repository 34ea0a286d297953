import { expect, it } from 'vitest'
import type { ComponentOf } from '../components/body-types.ts'
import { withCarriedHash } from './carried-hash.ts'

type Service = ComponentOf<'external_service'>

const hash = `oas1:sha256:${'0'.repeat(64)}`
const service = (spec: object, operations?: string[]): Service => ({
  ...{ type: 'external_service', key: 'ledger', label: 'Ledger' },
  body: {
    ...{ namedCredential: 'ledger', onSpecDrift: 'fail', operations },
    spec: { format: 'openapi_3_1', source: 'https://ledger.example.com/api.json', ...spec },
  },
})
const imported = service({ hash }, ['a'])

it('fills in the hash of the base', () => {
  expect(withCarriedHash(service({}, ['a']), imported)).toEqual(imported)
})

it.each([
  ['it has a hash', service({ hash: hash.replace('0', '1') }, ['a']), imported],
  ['the source differs', service({ source: 'https://other.example.com' }, ['a']), imported],
  ['the operations differ', service({}, ['b']), imported],
  ['all operations are chosen', service({}), imported],
  ['it is new', service({}, ['a']), undefined],
  ['the base was never imported', service({}, ['a']), service({}, ['a'])],
])('changes nothing if %s', (_, given, base) => {
  expect(withCarriedHash(given, base)).toBe(given)
})
