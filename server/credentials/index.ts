// Credentials: the vault, and the secrets of external credentials in it.
export { createCredentials, type Credentials } from './credentials.ts'
export { createSecretSource, type SecretSource } from './resolve-secrets.ts'
export { vaultCustody } from './vault-custody.ts'
export { createVault, type Vault } from './vault.ts'
