// Rules for integration clients (docs/reference/http.md).
import type { Finding } from '../../errors/finding.ts'
import type { Rule } from '../define.ts'
import { pointer } from '../pointer.ts'
import { explainUser } from '../principals.ts'
import { errorFinding } from '../report.ts'
import { signingKey } from './signing-key.ts'

type ClientRule = Rule<'integration_client'>

const runAsIsLive: ClientRule = (client, { principals }) => {
  const reason = explainUser(client.body.runAs, principals)
  return reason === null
    ? []
    : [
        errorFinding(
          client,
          '/body/runAs',
          'client.run_as',
          `The client "${client.key}" cannot run as the user "${client.body.runAs}". ${reason}`,
        ),
      ]
}

/** Members of a JSON Web Key that are secret (RFC 7518): private exponents, primes, symmetric keys. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const isPrivate = (key: object): boolean => privateMembers.some((member) => Object.hasOwn(key, member))

const publicKeysOnly: ClientRule = (client) =>
  (client.body.jwks?.keys ?? []).flatMap((key, at) =>
    privateMembers
      .filter((member) => Object.hasOwn(key, member))
      .map((member): Finding => {
        const message = `Key ${at + 1} contains the private member "${member}". A component can contain only public keys. Remove it, and treat this key as leaked.`
        return errorFinding(client, pointer('body', 'jwks', 'keys', at, member), 'client.jwks', message)
      }),
  )

/** Each assertion is verified with each of them until one fits. */
const mostKeys = 20

const keysVerifySignatures: ClientRule = (client) => {
  const keys = client.body.jwks?.keys ?? []
  if (keys.length > mostKeys)
    return [
      errorFinding(
        client,
        '/body/jwks/keys',
        'client.jwks',
        `The client has ${keys.length} public keys. Keep at most ${mostKeys}, such as the current and the next one.`,
      ),
    ]
  return keys.flatMap((key, at) => {
    const found = signingKey(key)
    if (isPrivate(key) || 'algorithms' in found) return []
    const path = pointer('body', 'jwks', 'keys', at)
    return [
      errorFinding(client, path, 'client.jwks', `Key ${at + 1} cannot verify assertions: ${found.problem}.`),
    ]
  })
}

const keysFitScheme: ClientRule = (client) => {
  const { authScheme, jwks } = client.body
  if (authScheme === 'oauth2_jwt_bearer' && (jwks?.keys.length ?? 0) === 0) {
    const message = `A client with oauth2_jwt_bearer authenticates with a signature. Add its public keys (jwks).`
    return [errorFinding(client, '/body', 'client.jwks', message)]
  }
  if (authScheme !== 'oauth2_jwt_bearer' && jwks !== undefined) {
    const message = `Only oauth2_jwt_bearer uses public keys, but the client uses ${authScheme}. Remove "jwks".`
    return [errorFinding(client, '/body/jwks', 'client.jwks', message)]
  }
  return []
}

export const integrationClientRules: readonly ClientRule[] = [
  runAsIsLive,
  publicKeysOnly,
  keysVerifySignatures,
  keysFitScheme,
]
