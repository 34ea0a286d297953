// Secrets and tokens of a client follow its key, and end with the client.
import { recordAudit } from '../access/index.ts'
import { keyMovesOf, type KeyMoveHandler } from '../ports/key-moves.ts'
import { secretsOf, secretsSettingOf, serializeSecrets } from './client-secrets.ts'

/**
 * A client that takes the key of a removed one is a different client: the secrets of the first are not valid for it.
 */
export const followClients: KeyMoveHandler = (transactor, { moves, generation, ...by }) => {
  const keys = keyMovesOf(moves, 'integration_client')
  // All are read from their old keys before any is written to its new key.
  const held = [...keys].map(([from, to]) => ({ from, to, secrets: secretsOf(transactor, from) }))
  for (const { from } of held) transactor.settings.delete(secretsSettingOf(from))
  transactor.tokens.move(keys)
  for (const { from, to, secrets } of held) {
    if (to !== null && secrets.length > 0)
      transactor.settings.put(secretsSettingOf(to), serializeSecrets(secrets))
    if (secrets.length === 0) continue
    recordAudit(transactor, by, by.at, {
      component: `client/${from}`,
      kind: to === null ? 'client.secrets_ended' : 'client.secrets_moved',
      before: { client: from, valid: secrets.length },
      after: to === null ? null : { client: to, valid: secrets.length },
      rationale: `Generation ${generation} ${to === null ? 'removed the client' : 'renamed the client'}.`,
    })
  }
}
