// What the engine of consents is given.
import type { Randomness } from '../../ports/randomness.ts'
import type { CredentialDeps } from '../deps.ts'
import type { SecretSource } from '../resolve-secrets.ts'
import type { SendTokenCall, Tokens } from '../tokens/index.ts'

export interface ConsentDeps extends CredentialDeps {
  secrets: SecretSource
  tokens: Pick<Tokens, 'accept' | 'forget' | 'isStored' | 'state'>
  /** Calls the token endpoint. */
  send: SendTokenCall
  randomness: Randomness
}
