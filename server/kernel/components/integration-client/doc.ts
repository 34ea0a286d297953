// Help on integration clients.
import type { ComponentDoc } from '../define.ts'

export const integrationClientDoc: ComponentDoc = {
  summary: 'An integration client is a registered system that can use the APIs as one user.',
  text: `Every integration authenticates through a registered client and acts as its user: the same permission sets, field permissions and sharing apply as for a person.

The server creates its secret and shows it once; the secret is never part of the component. The server records the fields that the client reads and writes, so a deploy cannot remove a field that the client used recently.

With \`oauth2_jwt_bearer\`, the client signs assertions. Its public keys decide the algorithm: give an RSA key its \`alg\`, or it verifies RS256.

Its limits are numbers, or percentages of what all clients of the org can use together: 500 requests a second, bursts of 1,000, and 50 at once. A request above its rate limit is refused with 429 and the seconds to wait. Each response shows how many requests are left.`,
  example: {
    authScheme: 'oauth2_client_credentials',
    runAs: 'admin',
    rateLimit: { sustained: 20, burst: 40, concurrency: '10%' },
    deprecationWindowDays: 60,
  },
}
