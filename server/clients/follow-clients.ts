// Secrets and tokens of a client go where its key goes, and end with it (specification 2.10; completions 5).
import { note } from '../access/index.ts'
import { movesOf, type KeyFollower } from '../ports/key-moves.ts'
import { secretsOf, settingOf, storedSecrets } from './client-secrets.ts'

/** A client that takes the key of one that is gone is another client: what proved the first proves nothing for it. */
export const followClients: KeyFollower = (transactor, { moves, generation, ...by }) => {
  const keys = movesOf(moves, 'integration_client')
  // All are taken from where they were before any is put where it goes.
  const held = [...keys].map(([from, to]) => ({ from, to, secrets: secretsOf(transactor, from) }))
  for (const { from } of held) transactor.deleteSetting(settingOf(from))
  transactor.moveTokens(keys)
  for (const { from, to, secrets } of held) {
    if (to !== null && secrets.length > 0) transactor.putSetting(settingOf(to), storedSecrets(secrets))
    if (secrets.length === 0) continue
    note(transactor, by, by.at, {
      component: `client/${from}`,
      kind: to === null ? 'client.secrets_ended' : 'client.secrets_moved',
      before: { client: from, valid: secrets.length },
      after: to === null ? null : { client: to, valid: secrets.length },
      rationale: `Generation ${generation} ${to === null ? 'removed the client' : 'renamed the client'}.`,
    })
  }
}
