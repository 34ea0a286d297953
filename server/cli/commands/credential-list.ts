// almanac credential list: which secrets are written, staged and absent. A secret is never shown.
import type { CredentialPrincipal, CredentialSecrets, PrincipalSecrets } from '#wire/credentials.ts'
import { tableText } from '../table.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const credentials = await (await call.org()).credentials.list()
  await terminal.data({ credentials })
  terminal.print(() =>
    credentials.length === 0
      ? 'No external credentials.'
      : tableText(
          terminal,
          ['credential', 'principal', 'user', 'scheme', 'secrets', 'last used'],
          credentials.flatMap(rowsOf),
        ),
  )
}

function rowsOf({ credential, scheme, principals }: CredentialSecrets): string[][] {
  return principals.flatMap(({ key, secrets, slots }) => {
    const isShared = slots.some(({ required, perUser }) => required && !perUser)
    const absent = secrets.length === 0 ? [[credential, key, isShared ? '' : 'each', scheme, 'none', '']] : []
    return [
      ...absent,
      ...secrets.map((each) => [credential, key, each.user ?? '', scheme, stateOf(each), usedAt(each)]),
    ]
  })
}

const usedAt = ({ lastUsedAt }: PrincipalSecrets): string =>
  lastUsedAt?.slice(0, 16).replace('T', ' ') ?? 'never'

const stateOf = ({ current, next, prior }: CredentialPrincipal['secrets'][number]): string =>
  [
    current === null ? null : `current ${current.version} (${current.slots.join(', ')})`,
    next === null ? null : `staged ${next.version}`,
    prior === null ? null : `prior ${prior.version} until ${prior.until.slice(0, 16).replace('T', ' ')}`,
  ]
    .filter((each) => each !== null)
    .join('; ')
