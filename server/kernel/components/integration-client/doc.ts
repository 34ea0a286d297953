// Help on integration clients.
import type { ComponentDoc } from '../define.ts'

export const integrationClientDoc: ComponentDoc = {
  summary: 'An integration client is a registered system that may use the APIs as one user.',
  text: `Every integration authenticates through a registered client and acts as its user: the same permission sets, field rights and sharing as a person.

Its secret is made by the server, shown once, and is never part of the component. What the client reads and writes is remembered, so that a deploy cannot take away a field that it used lately.

Its rate limit is stored with the component. The server does not enforce it yet.`,
  example: {
    authScheme: 'oauth2_client_credentials',
    runAs: 'admin',
    rateLimit: { sustained: 20, burst: 40, concurrency: '10%' },
    deprecationWindowDays: 60,
  },
}
