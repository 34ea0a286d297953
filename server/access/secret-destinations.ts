// Where secrets are sent. A user who can choose that can have them sent to a server of their own, so it takes the right to
// manage them.
import { isSameContent } from '#kernel/change/value-diff.ts'
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'

/** The external credentials of a change list. */
export interface CredentialChanges {
  /** None of them has a secret yet. */
  added: ReadonlySet<string>
  /** Old key → new key. */
  renamed: ReadonlyMap<string, string>
}

/** Why the change of a component sends existing secrets elsewhere, in words; null if it does not. */
export function explainDestination(
  before: Component | undefined,
  after: Component | undefined,
  credentials: CredentialChanges,
): string | null {
  if (after?.type === 'named_credential')
    return explainTarget(before?.type === 'named_credential' ? before : undefined, after, credentials)
  if (after?.type !== 'external_credential' || before?.type !== 'external_credential') return null
  const [was, is] = [withoutPrincipals(before), withoutPrincipals(after)]
  return isSameContent(was, is) ? null : `changes where or how the secrets of ${after.key} are sent`
}

function explainTarget(
  before: ComponentOf<'named_credential'> | undefined,
  { key, body }: ComponentOf<'named_credential'>,
  { added, renamed }: CredentialChanges,
): string | null {
  const { externalCredential, principal, url } = body
  if (added.has(externalCredential)) return null
  if (before !== undefined) {
    const was = before.body
    const isSame = (renamed.get(was.externalCredential) ?? was.externalCredential) === externalCredential
    if (isSame && was.principal === principal && was.url === url) return null
  }
  return `sends the secrets of ${externalCredential} to the URL of named_credential/${key}`
}

function withoutPrincipals({ body }: ComponentOf<'external_credential'>): unknown {
  const { principals: _principals, ...rest } = body
  return rest
}
