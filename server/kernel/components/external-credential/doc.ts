// Help on external credentials.
import type { ComponentDoc } from '../define.ts'

export const externalCredentialDoc: ComponentDoc = {
  summary: 'An external credential says how calls prove who they come from, without holding the secret.',
  text: `The component holds the scheme and its parameters. The **secrets** of each principal are written to the credential store after the deploy; nobody can read them back, and they never travel between environments.

A principal may be used by the holders of the permission sets that it is granted to.`,
  example: {
    scheme: 'oauth2_client_credentials',
    tokenUrl: 'https://login.example.com/oauth2/token',
    scopes: ['ledger.read', 'ledger.write'],
    principals: [{ key: 'service', mode: 'named', grantedTo: ['finance'] }],
  },
}
