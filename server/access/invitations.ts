// One-time links: a user opens one to choose a password, and the link expires. Only the hash of its secret is stored.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { InvitationRow } from '../ports/invitations.ts'
import type { SignInsDeps } from './sign-ins.ts'
import { requireActorPermission, recordAudit, type Actor } from './actor.ts'
import { canMakerInvite } from './open-invitations.ts'
import type { Users } from './users.ts'
import { hashSecret } from './secret-hash.ts'

export interface IssuedInvitation {
  user: string
  /** Shown only once, here. */
  secret: string
  expiresAt: string
}

export interface Invitations {
  /** Replaces an earlier link. @throws AlmanacError `access.denied`, `user.not_found`, `request.invalid`. */
  invite(by: Actor, user: string): Promise<IssuedInvitation>
  /** Ends the link of a user. @throws AlmanacError `access.denied`, `invitation.not_found`. */
  withdrawInvitation(by: Actor, user: string): Promise<void>
  /** Sets the password of the invited user, and ends the link. @throws AlmanacError `auth.invalid`, `request.invalid`. */
  acceptInvitation(correlationId: string, secret: string, password: string): Promise<{ user: string }>
}

const lifetimeMs = 3 * 24 * 60 * 60 * 1000

export function createInvitations(
  { store, write, clock, random }: SignInsDeps,
  users: Pick<Users, 'setPassword'>,
): Invitations {
  return {
    invite: async (by, user) => {
      const secret = Buffer.from(random.bytes(32)).toString('base64url')
      const at = clock.now()
      const expiresAt = new Date(Date.parse(at) + lifetimeMs).toISOString()
      return write((transactor) => {
        requireActorPermission(by, transactor, 'access.manage', `to invite the user ${user}`)
        const row = transactor.people.user(user)
        if (row === undefined)
          throw new AlmanacError('user.not_found', `The user "${user}" does not exist in this org.`)
        if (!row.active)
          throw new AlmanacError(
            'request.invalid',
            `${row.name} is deactivated. Reactivate the user, then create the link.`,
          )
        transactor.invitations.put({
          ...{ user, hash: hashSecret(secret), expiresAt, madeBy: by.actor, madeAt: at },
          ...{ operator: by.operatorName ?? null, fromFolder: by.isOperator === true },
        })
        const fact = { component: `user/${user}`, kind: 'user.invited', before: null, after: { expiresAt } }
        recordAudit(transactor, by, at, fact)
        return { user, secret, expiresAt }
      })
    },
    withdrawInvitation: (by, user) =>
      write((transactor) => {
        requireActorPermission(
          by,
          transactor,
          'access.manage',
          `to withdraw the invitation of the user ${user}`,
        )
        const row = transactor.invitations.list().find((each) => each.user === user)
        if (row === undefined)
          throw new AlmanacError(
            'invitation.not_found',
            `The user "${user}" has no open invitation. It was used or withdrawn.`,
          )
        transactor.invitations.deleteOf(user)
        const { madeBy, madeAt, expiresAt } = row
        const before = { madeBy, madeAt, expiresAt }
        const fact = { component: `user/${user}`, kind: 'user.invitation_withdrawn', before, after: null }
        recordAudit(transactor, by, clock.now(), fact)
      }),
    acceptInvitation: async (correlationId, secret, password) => {
      const hash = hashSecret(secret)
      const { user } = store.read((reader) => requireInvitation(reader, hash, clock.now()))
      await users.setPassword({ actor: user, correlationId }, user, password, undefined, (transactor) =>
        requireInvitation(transactor, hash, clock.now()),
      )
      return { user }
    },
  }
}

function requireInvitation(
  reader: Pick<OrgReader, 'generations' | 'invitations' | 'people'>,
  hash: string,
  now: string,
): InvitationRow {
  const row = reader.invitations.get(hash)
  if (row === undefined || row.expiresAt <= now || reader.people.user(row.user)?.active !== true)
    throw new AlmanacError(
      'auth.invalid',
      'This link was used or withdrawn, or has expired. Ask a user with access.manage for a new one.',
    )
  if (canMakerInvite(reader, row)) return row
  throw new AlmanacError(
    'auth.invalid',
    'The creator of this link can no longer invite users. Ask a user with access.manage for a new one.',
  )
}
