// almanac credential set: writes the secrets of a principal. They are read from the terminal or stdin, never from arguments.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { CredentialSecrets } from '#wire/credentials.ts'
import { UsageError } from '../fail.ts'
import { hasFlag, listOption, textOption } from '../options.ts'
import { promptSecret, secretFromStdin } from '../prompt-secret.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const [credential = '', principal = ''] = call.args
  const { credentials } = await call.org()
  const user = textOption(call, 'user')
  const place = { credential, principal, user }
  const named = listOption(call, 'slot')
  const names = named.length > 0 ? named : requiredSlots(await credentials.get(credential), principal, user)
  const values = hasFlag(call, 'stdin') ? valuesOf(secretFromStdin(), names) : await promptValues(names)
  await credentials.stage(place, values)
  const stored = (await credentials.get(credential)).principals.find(({ key }) => key === principal)
  const staged = stored?.secrets.find((each) => each.user === (user ?? null))?.next ?? null
  await terminal.data({
    credential,
    principal,
    user: user ?? null,
    slots: names,
    state: staged === null ? 'current' : 'staged',
  })
  terminal.print(
    staged === null
      ? `Calls with ${principal} of ${credential} use these secrets now.`
      : `Staged as version ${staged.version}. Make it current with "almanac credential promote ${credential} ${principal}".`,
  )
}

/** Optional slots are written only if they are named. */
function requiredSlots(
  { credential, principals }: CredentialSecrets,
  principal: string,
  user: string | undefined,
): string[] {
  const found = principals.find(({ key }) => key === principal)
  if (found === undefined)
    throw new AlmanacError(
      'component.not_found',
      `${credential} has no principal "${principal}".${didYouMean(
        principal,
        principals.map(({ key }) => key),
      )}`,
    )
  const names = found.slots
    .filter(({ required, perUser }) => required && perUser === (user !== undefined))
    .map(({ name }) => name)
  if (names.length > 0) return names
  throw new AlmanacError(
    'request.invalid',
    user === undefined
      ? `Each user has their own secrets for ${principal} of ${credential}. Pass --user, the key of the user.`
      : `All users share the secrets of ${principal} of ${credential}. Remove --user.`,
  )
}

async function promptValues(names: readonly string[]): Promise<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const name of names) values[name] = await promptSecret(`${name}: `, '--stdin')
  return values
}

/** One secret is the text as it is, so that a key in PEM can be read from its file; several are JSON. */
function valuesOf(text: string, names: readonly string[]): Record<string, string> {
  if (names.length === 1) return { [names[0]!]: text }
  const parsed = parseJson(text)
  const isComplete =
    typeof parsed === 'object' &&
    parsed !== null &&
    Object.values(parsed).every((each) => typeof each === 'string')
  if (!isComplete)
    throw new UsageError(
      `stdin must be JSON with a text for each of ${names.join(', ')}. To write one secret as it is, name it with --slot.`,
    )
  return parsed as Record<string, string>
}

/** The text is not repeated in an error. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
