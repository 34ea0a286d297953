// Hashes passwords with scrypt and stores its parameters in the hash, so that they can grow without locking users out.
import { scrypt, timingSafeEqual } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Randomness } from '../ports/randomness.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { explainPassword } from './password-rules.ts'

interface Cost {
  /** Base-2 logarithm of the work and memory factor N. */
  ln: number
  /** Block size, and parallel lanes. */
  r: number
  p: number
}

/** 32 MiB and three lanes, as OWASP recommends if many users may sign in at once. */
const cost: Cost = { ln: 15, r: 8, p: 3 }
const keyLength = 32
const maxLength = 1024
/** Each takes 32 MiB and a thread; two threads stay free for files. */
const derivations = new ConcurrencyLimiter(2, 64)
const hashPattern =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{16,})\$([A-Za-z0-9+/]{40,})$/

/**
 * `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. @throws AlmanacError `request.invalid` for a password that is short or easy to
 * guess.
 */
export async function hashPassword(password: string, user: string, random: Randomness): Promise<string> {
  const reason = explainPassword(password, user)
  if (reason !== null) throw new AlmanacError('request.invalid', reason)
  const salt = Buffer.from(random.bytes(16))
  const hash = await derive(password, salt, cost)
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${base64(salt)}$${base64(hash)}`
}

/** Whether the password is the one that was hashed. Takes as long for a user without one (null) as for any other. */
export async function matchesPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = hash === null ? null : hashPattern.exec(hash)
  if (parts === null || password.length > maxLength) {
    await derive('', Buffer.alloc(16), cost)
    return false
  }
  const [, ln, r, p, salt, expected] = parts
  const derived = await derive(password, Buffer.from(salt!, 'base64'), {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
  })
  const wanted = Buffer.from(expected!, 'base64')
  return wanted.length === derived.length && timingSafeEqual(wanted, derived)
}

function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }
  return derivations.run(
    () =>
      new Promise((resolve, reject) => {
        // NFKC, so that the same password typed on two keyboards is equal.
        scrypt(password.normalize('NFKC'), salt, keyLength, options, (error, derived) =>
          error === null ? resolve(derived) : reject(error),
        )
      }),
  )
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
