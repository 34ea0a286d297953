// The secrets of a principal for one call. They are kept for a second after they were opened, because calls come in rows.
import type { SecretOwner, VaultRow } from '../ports/vault.ts'
import type { CredentialDeps } from './deps.ts'
import { openSecrets } from './open-secrets.ts'
import { parseContent } from './secret-content.ts'

export interface CurrentSecrets {
  /** By name. */
  values: Readonly<Record<string, string>>
  version: number
}

export interface SecretSource {
  /** The current secrets; null if they are absent. @throws AlmanacError `vault.key`, `vault.damaged` */
  current(owner: SecretOwner): Promise<CurrentSecrets | null> | CurrentSecrets
}

/** The last use of secrets is noted at most this often. */
const noteMs = 60_000
/** How long opened secrets are kept, in milliseconds. */
const keepMs = 1000

export function createSecretSource({
  vault,
  rows,
  clock,
}: Pick<CredentialDeps, 'vault' | 'rows' | 'clock'>): SecretSource {
  const noted = new Map<string, number>()
  const note = (owner: SecretOwner): void => {
    const name = JSON.stringify(owner)
    const at = clock.now()
    const ms = Date.parse(at)
    if (ms - (noted.get(name) ?? 0) < noteMs) return
    noted.set(name, ms)
    // A call does not fail because its use cannot be noted.
    rows.noteUse(owner, at).catch(() => noted.delete(name))
  }
  /** By the row that they are sealed in: a row that was read again has been written since, or could have been. */
  const opened = new Map<VaultRow, CurrentSecrets>()
  let ending: NodeJS.Timeout | null = null
  const keep = (row: VaultRow, secrets: CurrentSecrets): void => {
    opened.set(row, secrets)
    ending ??= setTimeout(() => {
      opened.clear()
      ending = null
    }, keepMs).unref()
  }
  const read = async (owner: SecretOwner): Promise<CurrentSecrets | null> => {
    const row = await rows.get(owner)
    const known = row === null ? undefined : opened.get(row)
    if (known !== undefined) return known
    const { current } = parseContent(row?.content ?? null)
    if (row === null || current === null) return null
    const secrets = { values: await openSecrets(vault, owner, current), version: current.version }
    note(owner)
    keep(row, secrets)
    return secrets
  }
  return {
    current: (owner) => {
      const row = rows.known(owner)
      return (row == null ? undefined : opened.get(row)) ?? read(owner)
    },
  }
}
