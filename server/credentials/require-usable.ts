// Refuses secrets that are incomplete or that no call could use, when they are written and when they become the current ones.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { requireValues, slotNames, type SecretPlaceOf } from './credential-place.ts'
import type { CredentialDeps } from './deps.ts'
import { findUnusable } from './find-unusable.ts'
import { openSecrets } from './open-secrets.ts'
import { parseContent } from './secret-content.ts'
import type { Secrets } from './schemes/index.ts'

/** @param result the last sentence of the error. @throws AlmanacError `request.invalid` */
export async function requireUsable(
  { clock }: Pick<CredentialDeps, 'clock'>,
  place: SecretPlaceOf,
  values: Secrets,
  result: string,
): Promise<void> {
  requireValues(place, values)
  const fault = await findUnusable(place.credential, values, clock)
  if (fault === null) return
  throw new AlmanacError('request.invalid', `The secret "${fault.slot}" ${fault.reason}. ${result}`)
}

/** The credential can have changed since the secrets were staged. @throws AlmanacError `request.invalid`, `vault.*` */
export async function requireUsableNext(
  deps: Pick<CredentialDeps, 'clock' | 'rows' | 'vault'>,
  place: SecretPlaceOf,
): Promise<void> {
  const { next } = parseContent((await deps.rows.get(place.owner))?.content ?? null)
  if (next === null) return
  const staged = await openSecrets(deps.vault, place.owner, next)
  const names = slotNames(place)
  const known = Object.fromEntries(Object.entries(staged).filter(([name]) => names.includes(name)))
  await requireUsable(deps, place, known, 'They were not promoted. Stage new secrets.')
}
