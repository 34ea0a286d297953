// The place of secrets: a principal of an external credential, and a user if each has their own.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { splitId } from '#kernel/components/component.ts'
import { credentialSlots, type CredentialSlot } from '#kernel/components/external-credential/secret-slots.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { ComponentIdentity } from '../ports/identities.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { SecretOwner } from '../ports/vault.ts'

export type Credential = ComponentOf<'external_credential'>
export type Principal = Credential['body']['principals'][number]

/** As a caller names it. */
export interface NamedPlace {
  credential: string
  principal: string
  user?: string | undefined
}

export interface SecretPlaceOf {
  credential: Credential
  principal: Principal
  owner: SecretOwner
}

/** @throws AlmanacError `component.not_found` */
export function requireCredential(reader: Pick<OrgReader, 'generations'>, key: string): Credential {
  const view = reader.generations.view(reader.generations.active())
  const credential = view.get('external_credential', key)
  if (credential !== undefined) return credential
  throw new AlmanacError(
    'component.not_found',
    `The external credential "${key}" does not exist.${didYouMean(key, view.keys('external_credential'))}`,
  )
}

/** @throws AlmanacError `component.not_found`, `request.invalid`, `user.not_found` */
export function requirePlace(
  reader: Pick<OrgReader, 'generations' | 'identities' | 'people'>,
  { credential: key, principal: name, user }: NamedPlace,
): SecretPlaceOf {
  const credential = requireCredential(reader, key)
  const principal = credential.body.principals.find((each) => each.key === name)
  if (principal === undefined) {
    const known = credential.body.principals.map((each) => each.key)
    throw new AlmanacError(
      'component.not_found',
      `${key} has no principal "${name}".${didYouMean(name, known)}`,
    )
  }
  const slots = slotsOf(credential, principal)
  if (user === undefined && slots.every(({ perUser }) => perUser))
    throw new AlmanacError(
      'request.invalid',
      `Each user has their own secrets for ${name} of ${key}. Add "user", the key of the user.`,
    )
  if (user !== undefined && !slots.some(({ perUser }) => perUser))
    throw new AlmanacError(
      'request.invalid',
      `All users share the secrets of ${name} of ${key}. Remove "user".`,
    )
  if (user !== undefined && reader.people.user(user) === undefined)
    throw new AlmanacError('user.not_found', `The user "${user}" does not exist.`)
  return { credential, principal, owner: ownerOf(reader, credential, name, user ?? null) }
}

/** The owner of the secrets of a principal, by the identity of its credential. */
export function ownerOf(
  reader: Pick<OrgReader, 'generations' | 'identities'>,
  { key }: Pick<Credential, 'key'>,
  principal: string,
  user: string | null,
): SecretOwner {
  const credential = reader.identities.at(reader.generations.active(), `external_credential/${key}`)!
  return { kind: 'secret', credential, principal, user: user ?? '' }
}

/** The key of a credential now, or the last one that it had; the name of a remote as it is. */
export function keyOfIdentity({ identities }: Pick<OrgReader, 'identities'>, identity: string): string {
  const last = identities.keyPeriods(identity as ComponentIdentity).at(-1)
  return last === undefined ? identity : splitId(last.id).key
}

export const slotsOf = ({ body }: Credential, principal: Principal): CredentialSlot[] =>
  credentialSlots(body, principal)

const maxSecretBytes = 64 * 1024

/** The slots of the principal, or those that each of its users has. */
const ownSlots = ({ credential, principal, owner }: SecretPlaceOf): CredentialSlot[] =>
  slotsOf(credential, principal).filter(({ perUser }) => perUser === (owner.user !== ''))

export const slotNames = (place: SecretPlaceOf): string[] => ownSlots(place).map(({ name }) => name)

/** @throws AlmanacError `request.invalid`, naming the secret but never its value */
export function requireValues(place: SecretPlaceOf, values: Readonly<Record<string, string>>): void {
  const { credential, principal, owner } = place
  const all = slotsOf(credential, principal)
  const isOfUser = owner.user !== ''
  const slots = ownSlots(place)
  const names = slots.map(({ name }) => name)
  const about = `The secrets ${isOfUser ? 'of a user ' : ''}for ${principal.key} of ${credential.key} are ${quoted(names)}.`
  for (const [name, value] of Object.entries(values)) {
    if (!names.includes(name))
      throw new AlmanacError('request.invalid', `${unknownSlot(name, all, names)} ${about}`)
    if (value === '' && !slots.some((slot) => slot.name === name && slot.canBeEmpty))
      throw new AlmanacError('request.invalid', `The secret "${name}" is empty.`)
    if (!value.isWellFormed())
      throw new AlmanacError('request.invalid', `The secret "${name}" contains half of a character.`)
    if (Buffer.byteLength(value) > maxSecretBytes)
      throw new AlmanacError(
        'request.invalid',
        `The secret "${name}" has more than ${maxSecretBytes / 1024} KiB.`,
      )
  }
  const missing = slots.filter(({ name, required }) => required && !Object.hasOwn(values, name))
  const what = quoted(missing.map(({ name }) => name))
  if (missing.length > 0)
    throw new AlmanacError('request.invalid', `Missing: ${what}. All secrets are written together. ${about}`)
  if (Object.keys(values).length === 0)
    throw new AlmanacError('request.invalid', `"values" is empty. ${about}`)
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

function unknownSlot(name: string, all: readonly CredentialSlot[], names: readonly string[]): string {
  const other = all.find((slot) => slot.name === name)
  if (other?.perUser === true) return `Each user has their own "${name}": add "user".`
  if (other !== undefined) return `All users share "${name}": write it without "user".`
  return `"${name}" is not one of the secrets.${didYouMean(name, names)}`
}
