// Does with secrets what a call does before anything is sent, so that those that no call could use are refused when they are
// written (docs/reference/credentials.md).
import { createSecureContext } from 'node:tls'
import { secretNames } from '#kernel/components/external-credential/secret-slots.ts'
import type { Clock } from '../ports/clock.ts'
import type { Credential } from './credential-place.ts'
import { authenticate, slotValues, trustOptions, UnusableSecret, type Secrets } from './schemes/index.ts'
import { requireProof } from './tokens/index.ts'

const request = { method: 'GET', url: 'https://host.example/', headers: {} }
/** What is signed with it is not sent. */
const randomness = { bytes: (count: number): Uint8Array => new Uint8Array(count) }

/** The first secret that no call can use; null if all can be used. */
export async function findUnusable(
  credential: Credential,
  secrets: Secrets,
  clock: Pick<Clock, 'now'>,
): Promise<UnusableSecret | null> {
  try {
    await requireUsable(credential, secrets, clock)
    return null
  } catch (error) {
    if (error instanceof UnusableSecret) return error
    throw error
  }
}

async function requireUsable(
  { key, body }: Credential,
  secrets: Secrets,
  clock: Pick<Clock, 'now'>,
): Promise<void> {
  // The chain of a principal whose users have their own secrets is written alone.
  if (!secretNames(body).every((name) => Object.hasOwn(secrets, name))) trustOptions(slotValues(key, secrets))
  else if ('tokenUrl' in body) {
    trustOptions(slotValues(key, secrets))
    await requireProof({ credential: key, body, secrets }, { clock, randomness })
  } else {
    const { tls } = authenticate(body, secrets, request, { credential: key, now: clock.now() })
    if (body.scheme === 'mtls' && !canConnect(tls))
      throw new UnusableSecret(
        key,
        'certificate',
        'cannot be used for TLS, such as one whose key is too short',
      )
  }
}

/** The message of the library is left out. */
function canConnect(options: Parameters<typeof createSecureContext>[0]): boolean {
  try {
    createSecureContext(options)
    return true
  } catch {
    return false
  }
}
