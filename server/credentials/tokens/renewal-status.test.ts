import { describe, expect, it } from 'vitest'
import { bodyOf } from '../schemes/body-fixture.ts'
import { isRenewalStatus } from './renewal-status.ts'

const tokenUrl = 'https://login.example/token'

describe('isRenewalStatus', () => {
  it.each<[string, Parameters<typeof isRenewalStatus>[0], number[]]>([
    ['401 by default', bodyOf('oauth2_client_credentials', { tokenUrl }), [401]],
    ['the declared ones', bodyOf('oauth2_jwt_bearer', { tokenUrl, refreshOn: [403, 419] }), [403, 419]],
    ['none', bodyOf('oauth2_jwt_bearer', { tokenUrl, refreshOn: [] }), []],
    ['none of a scheme without tokens', bodyOf('basic'), []],
  ])('is %s', (_, body, statuses) => {
    expect([200, 400, 401, 403, 419, 500].filter((status) => isRenewalStatus(body, status))).toEqual(statuses)
  })
})
