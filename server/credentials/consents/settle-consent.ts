// The end of a consent, as its user sees it.
import type { ConsentAttempt } from '#wire/consents.ts'
import type { SecretOwner } from '../../ports/vault.ts'
import { consentContent, parseConsent, type ConsentContent } from './consent-content.ts'
import type { ConsentDeps } from './deps.ts'

/** Writes a row as it is. */
export const keep = (content: ConsentContent | null) => (content === null ? null : consentContent(content))

/** Shows how a consent ended, unless the user has started another one since. */
export async function settleConsent(
  { vault, clock }: ConsentDeps,
  owner: SecretOwner,
  id: string,
  reason: string | null,
): Promise<void> {
  const at = clock.now()
  await vault.update(owner, (stored) => {
    const content = stored === null ? null : parseConsent(stored)
    if (content?.attempt.id !== id) return { after: keep(content), result: undefined }
    const attempt: ConsentAttempt = { id, at, state: reason === null ? 'granted' : 'refused', reason }
    const version = content.version + 1
    return {
      after: consentContent({ ...content, version, attempt, until: at, sealed: null }),
      result: undefined,
    }
  })
}
