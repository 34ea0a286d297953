// The sealed slots in a row of the vault, by what it holds.
import type { VaultKind } from '../ports/vault.ts'
import { replaceConsentSlot } from './consents/index.ts'
import type { SealedSlot } from './seal.ts'
import { replaceSlots } from './secret-content.ts'
import { replaceTokenSlot } from './vault-tokens.ts'

/** Replaces each sealed slot within the content of a row. */
export const replaceIn = {
  ...{ secret: replaceSlots, token: replaceTokenSlot, consent: replaceConsentSlot },
} satisfies Record<VaultKind, (content: string, replace: (slot: SealedSlot) => SealedSlot) => string>
