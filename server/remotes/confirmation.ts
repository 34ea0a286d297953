// The only access to a production org: nothing is sent there before a user has typed its name.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isProduction } from '#kernel/remotes/production.ts'

/**
 * @param label the caller's name for it: the name of the remote, or its URL. @throws AlmanacError
 * remote.not_confirmed
 */
export function requireConfirmation(
  org: { name: string; environment: string },
  label: string,
  confirm: string | undefined,
): void {
  if (!isProduction(org.environment) || confirm === org.name) return
  throw new AlmanacError(
    'remote.not_confirmed',
    confirm === undefined
      ? `${label} is production. Type the name of its org, "${org.name}", to continue. Nothing was sent.`
      : `${label} is production, and "${confirm}" is not the name of its org, "${org.name}". Nothing was sent.`,
  )
}
