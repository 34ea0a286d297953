// Checks passwords. Failed attempts are counted by source, and by account only over many sources; a browser that the
// user has signed in with before has its own count, so strangers cannot lock the user out.
import type { Request } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Services } from './services.ts'
import { addressOf } from './site.ts'

/** @throws AlmanacError `auth.throttled`; `auth.invalid`, the same for an unknown user and a wrong password. */
export async function requirePassword(
  { throttle, accountThrottle, devices, access, site }: Services,
  request: Request,
  user: string,
  password: string,
): Promise<void> {
  const device = devices.deviceIdOf(request, user)
  const counted =
    device === null
      ? ([
          [throttle, addressOf(site, request)],
          [accountThrottle, user],
        ] as const)
      : ([[throttle, `device ${device}`]] as const)
  for (const [counter, name] of counted) counter.check(name)
  const takeBack = counted.map(([counter, name]) => counter.recordAttempt(name))
  if (!(await access.verifyPassword(user, password)))
    throw new AlmanacError('auth.invalid', 'The user or the password is incorrect.')
  for (const undo of takeBack) undo()
}
