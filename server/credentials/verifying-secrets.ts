// The secrets with which what others send is verified: the current one, the one that is staged next, and the prior one within
// its grace. They stay in this process; outgoing calls use the current one alone.
import type { ComponentView } from '#kernel/components/view.ts'
import type { SecretOwner, VaultRow } from '../ports/vault.ts'
import { ownerOf } from './credential-place.ts'
import type { CredentialDeps } from './deps.ts'
import { openSecrets } from './open-secrets.ts'
import { parseContent, type SecretContent, type SecretSet } from './secret-content.ts'

export interface VerifyingValue {
  kind: 'current' | 'next' | 'prior'
  value: string
}

export interface VerifyingSecrets {
  /**
   * The values of a slot of the one principal of a credential; none if they are absent. Calls soon after each other return
   * the same objects.
   * @throws AlmanacError `vault.key`, `vault.damaged`
   */
  of(credential: string, slot: string, view: ComponentView): Promise<readonly VerifyingValue[]>
}

/** How long opened secrets are kept, in milliseconds, because deliveries come in rows. */
const keepMs = 1000
/** The last use of secrets is noted at most this often. */
const noteMs = 60_000

interface Opened {
  content: SecretContent
  /** By kind, then by slot. */
  values: Partial<Record<VerifyingValue['kind'], Readonly<Record<string, VerifyingValue>>>>
}

export function createVerifyingSecrets({
  store,
  vault,
  rows,
  clock,
}: Pick<CredentialDeps, 'store' | 'vault' | 'rows' | 'clock'>): VerifyingSecrets {
  /** By the row that they are sealed in: a row that was read again has been written since, or could have been. */
  const opened = new Map<VaultRow, Opened>()
  let ending: NodeJS.Timeout | null = null
  const noted = new Map<string, number>()
  const owners = new WeakMap<ComponentView, Map<string, SecretOwner | null>>()

  const ownerIn = (credential: string, view: ComponentView): SecretOwner | null => {
    const known = owners.get(view) ?? new Map<string, SecretOwner | null>()
    owners.set(view, known)
    let owner = known.get(credential)
    if (owner !== undefined) return owner
    const found = view.get('external_credential', credential)
    const principal = found?.body.principals[0]
    owner =
      found === undefined || principal === undefined
        ? null
        : store.read((reader) => ownerOf(reader, found, principal.key, null))
    known.set(credential, owner)
    return owner
  }
  const open = async (owner: SecretOwner, row: VaultRow): Promise<Opened> => {
    const known = opened.get(row)
    if (known !== undefined) return known
    const content = parseContent(row.content)
    const all: Opened = { content, values: {} }
    for (const kind of ['current', 'next', 'prior'] as const) {
      const set: SecretSet | null = content[kind]
      if (set === null) continue
      const slots = Object.entries(await openSecrets(vault, owner, set))
      all.values[kind] = Object.fromEntries(slots.map(([slot, value]) => [slot, { kind, value }]))
    }
    opened.set(row, all)
    ending ??= setTimeout(() => {
      opened.clear()
      ending = null
    }, keepMs).unref()
    return all
  }
  const note = (owner: SecretOwner): void => {
    const at = clock.now()
    const name = `${owner.credential} ${owner.principal}`
    if (Date.parse(at) - (noted.get(name) ?? 0) < noteMs) return
    noted.set(name, Date.parse(at))
    rows.noteUse(owner, at).catch(() => noted.delete(name))
  }
  return {
    of: async (credential, slot, view) => {
      const owner = ownerIn(credential, view)
      if (owner === null) return []
      const row = rows.known(owner) ?? (await rows.get(owner))
      if (row === null) return []
      const { content, values } = await open(owner, row)
      note(owner)
      const now = clock.now()
      return (['current', 'next', 'prior'] as const).flatMap((kind) => {
        const value = values[kind]?.[slot]
        const isOver = kind === 'prior' && content.prior !== null && content.prior.until <= now
        return value === undefined || isOver ? [] : [value]
      })
    },
  }
}
