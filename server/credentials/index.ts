// Credentials: the vault, and the secrets of external credentials in it.
export { createCredentials, type Credentials } from './credentials.ts'
export { createCallAuthentication, createCallGrants } from './call-authentication.ts'
export { createSecretSource, type SecretSource } from './resolve-secrets.ts'
export { vaultTokens } from './vault-tokens.ts'
export { createTokens, type SendTokenCall, type TokenObserver, type TokenStore } from './tokens/index.ts'
export { vaultCustody } from './vault-custody.ts'
export { tlsIdentity } from './tls-identity.ts'
export { createVault, type Vault } from './vault.ts'
