// Keeps tokens in the vault: a row beside the secrets that they were issued for, sealed as a whole.
import type { SecretOwner, VaultStore } from '../ports/vault.ts'
import type { SealedSlot } from './seal.ts'
import type { StoredTokens, TokenAddress, TokenStore } from './tokens/index.ts'
import type { Vault } from './vault.ts'

interface TokenContent {
  version: number
  sealed: SealedSlot | null
}

const slot = 'tokens'

/** The row was changed by another process. */
class Changed extends Error {}

/** @param addressOf the identity of a credential by its key */
export function vaultTokens(
  { vault, rows }: { vault: Vault; rows: VaultStore },
  identityOf: (credential: string) => string,
): TokenStore {
  const ownerOf = ({ credential, principal, user }: TokenAddress): SecretOwner => ({
    ...{ kind: 'token', credential: identityOf(credential), principal, user: user ?? '' },
  })
  return {
    get: async (address) => {
      const owner = ownerOf(address)
      const row = await rows.get(owner)
      if (row === null) return undefined
      const { version, sealed } = JSON.parse(row.content) as TokenContent
      if (sealed === null) return undefined
      const tokens = JSON.parse(await vault.open(owner, sealed)) as StoredTokens
      return { tokens, version: String(version) }
    },
    put: async (address, tokens, expected) => {
      try {
        return await vault.update(ownerOf(address), (stored, seal) => {
          const before = stored === null ? null : (JSON.parse(stored) as TokenContent)
          const isThere = before !== null && before.sealed !== null
          if ((isThere ? String(before.version) : null) !== expected) throw new Changed()
          const version = (before?.version ?? 0) + 1
          const sealed = tokens === null ? null : seal(slot, version, JSON.stringify(tokens))
          const content: TokenContent = { version, sealed }
          return { after: { content: JSON.stringify(content), dueAt: null }, result: String(version) }
        })
      } catch (error) {
        if (error instanceof Changed) return null
        throw error
      }
    },
  }
}

/** For a renewal of the data key. */
export function replaceTokenSlot(content: string, replace: (slot: SealedSlot) => SealedSlot): string {
  const { version, sealed } = JSON.parse(content) as TokenContent
  return JSON.stringify({ version, sealed: sealed === null ? null : replace(sealed) } satisfies TokenContent)
}
