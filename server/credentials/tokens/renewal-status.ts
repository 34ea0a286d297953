// Whether a response means that the access token is not accepted.
import { tokenDefaults, type ExternalCredentialBody } from '#kernel/components/external-credential/body.ts'

/** After such a status, the token is renewed and the call made once more. */
export function isRenewalStatus(body: ExternalCredentialBody, status: number): boolean {
  const statuses: readonly number[] = 'tokenUrl' in body ? (body.refreshOn ?? tokenDefaults.refreshOn) : []
  return statuses.includes(status)
}
