// OAuth: consents, tokens and their renewal.
export {
  authorizationRequest,
  type AuthorizationRequest,
  type PendingConsent,
} from './authorization-request.ts'
export { grantDigest } from './token-row.ts'
export { dropAccess } from './replace-row.ts'
export { exchangeCode } from './exchange-code.ts'
export { requireProof } from './request-token.ts'
export type {
  CodeBody,
  OAuthBody,
  SendTokenCall,
  TokenCall,
  TokenCredential,
  TokenDeps,
  TokenResponse,
} from './token-call.ts'
export type { IssuedTokens } from './token-response.ts'
export type { TokenObserver } from './token-observer.ts'
export type { TokenRequest, TokensDeps } from './token-request.ts'
export { createTokens, type Tokens, type TokenState } from './tokens.ts'
export type { StoredTokens, TokenAddress, TokenPause, TokenStore } from './token-store.ts'
