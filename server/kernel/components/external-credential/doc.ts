// Help on external credentials.
import type { ComponentDoc } from '../define.ts'

export const externalCredentialDoc: ComponentDoc = {
  summary: 'An external credential defines how calls authenticate, without containing the secret.',
  text: `The component contains the scheme and its parameters. The **secrets** of each principal are written to the credential store after the deploy. They cannot be read back, and are never copied between environments.

A principal can be used by the holders of the permission sets that it is granted to.

This version checks and deploys credentials. It does not store their secrets yet.`,
  example: {
    scheme: 'oauth2_client_credentials',
    tokenUrl: 'https://login.example.com/oauth2/token',
    scopes: ['ledger.read', 'ledger.write'],
    principals: [{ key: 'service', mode: 'named', grantedTo: ['finance'] }],
  },
}
