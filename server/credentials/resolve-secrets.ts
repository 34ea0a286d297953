// The secrets of a principal for one call. They are opened each time and not kept.
import type { SecretOwner } from '../ports/vault.ts'
import type { CredentialDeps } from './deps.ts'
import { parseContent, type SecretSet } from './secret-content.ts'

export interface CurrentSecrets {
  /** By name. */
  values: Readonly<Record<string, string>>
  version: number
}

export interface SecretSource {
  /** The current secrets; null if they are absent. @throws AlmanacError `vault.key`, `vault.damaged` */
  current(owner: SecretOwner): Promise<CurrentSecrets | null>
}

/** The last use of secrets is noted at most this often. */
const noteMs = 60_000

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
  const open = async (owner: SecretOwner, { slots }: SecretSet): Promise<Record<string, string>> => {
    const secrets: Record<string, string> = {}
    for (const slot of slots) secrets[slot.slot] = await vault.open(owner, slot)
    return secrets
  }
  return {
    current: async (owner) => {
      const { current } = parseContent((await rows.get(owner))?.content ?? null)
      if (current === null) return null
      note(owner)
      return { values: await open(owner, current), version: current.version }
    },
  }
}
