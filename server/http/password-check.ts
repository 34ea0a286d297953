// One way to prove a password, counted by address and by person, so that guessing is slow wherever it is tried (completions 6).
import type { Request } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Services } from './services.ts'
import { addressOf } from './site.ts'

/** @throws AlmanacError `auth.throttled`; `auth.invalid`, the same for an unknown person and a wrong password. */
export async function demandPassword(
  { throttle, access, site }: Services,
  request: Request,
  user: string,
  password: string,
): Promise<void> {
  const counted = [addressOf(site, request), `user ${user}`]
  for (const each of counted) throttle.check(each)
  const takeBack = counted.map((each) => throttle.attempt(each))
  if (!(await access.verifyPassword(user, password)))
    throw new AlmanacError('auth.invalid', 'The user or the password is not right.')
  for (const undo of takeBack) undo()
}
