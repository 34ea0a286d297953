// Help on external credentials.
import type { ComponentDoc } from '../define.ts'

export const externalCredentialDoc: ComponentDoc = {
  summary: 'An external credential defines how calls authenticate, without containing the secret.',
  text: `The component contains the scheme and its parameters. The **secrets** of each principal are written to the credential store after the deploy. They cannot be read back, and are never copied between environments.

A principal can be used by the holders of the permission sets that it is granted to.

The scheme decides which secrets a principal needs:

- \`oauth2_client_credentials\`: \`clientId\` and \`clientSecret\`; with \`private_key_jwt\`, \`privateKey\` in place of the secret.
- \`oauth2_authorization_code\`: the same, once for all users; with \`none\`, only \`clientId\`. The tokens of each user come from their consent.
- \`oauth2_jwt_bearer\`: \`clientId\` and \`privateKey\`; optionally \`keyId\`.
- \`mtls\`: \`certificate\` and \`privateKey\`.
- \`aws_sigv4\`: \`accessKeyId\` and \`secretAccessKey\`; optionally \`sessionToken\`.
- \`api_key\`: \`key\`. \`basic\`: \`username\` and \`password\`. \`custom\`: one for each header or parameter, under its name.

A private key is PEM text, and \`passphrase\` decrypts it if it is encrypted. With every scheme, \`caChain\` can contain the certificates of the authorities to trust, in place of those of the system.`,
  example: {
    scheme: 'oauth2_client_credentials',
    tokenUrl: 'https://login.example.com/oauth2/token',
    scopes: ['ledger.read', 'ledger.write'],
    principals: [{ key: 'service', mode: 'named', grantedTo: ['finance'] }],
  },
}
