// The call to a token endpoint. The caller of this feature provides the function that makes it.
import type { ExternalCredentialBody } from '#kernel/components/external-credential/body.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Randomness } from '../../ports/randomness.ts'
import type { Secrets, TlsOptions } from '../schemes/index.ts'

export interface TokenCall {
  method: 'POST'
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  tls?: TlsOptions
}

export interface TokenResponse {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
}

/**
 * Makes one call within 30 s, without following redirects.
 * @throws CalloutFault
 */
export type SendTokenCall = (call: TokenCall) => Promise<TokenResponse>

export interface SigningDeps {
  clock: Pick<Clock, 'now'>
  randomness: Randomness
}

export interface TokenDeps extends SigningDeps {
  send: SendTokenCall
}

export type OAuthBody = Extract<ExternalCredentialBody, { tokenUrl: string }>
export type CodeBody = Extract<OAuthBody, { scheme: 'oauth2_authorization_code' }>
export type AssertionBody = Extract<OAuthBody, { scheme: 'oauth2_jwt_bearer' }>
export type ClientBody = Exclude<OAuthBody, AssertionBody>

/** A credential with the secrets of one principal. */
export interface TokenCredential<Body extends OAuthBody = OAuthBody> {
  /** The key of the credential. */
  credential: string
  body: Body
  secrets: Secrets
}
