// Keeps the secrets of remotes in the vault. Those that were kept elsewhere before move in when they are first needed.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CustodyStatus } from '#wire/remotes.ts'
import type { Clock } from '../ports/clock.ts'
import type { SecretCustody } from '../ports/secret-custody.ts'
import type { SecretOwner, VaultStore } from '../ports/vault.ts'
import { removeRow } from './remove-row.ts'
import { contentOf, parseContent } from './secret-content.ts'
import type { Vault } from './vault.ts'

export interface VaultCustodyDeps {
  vault: Vault
  rows: VaultStore
  clock: Clock
  kind: CustodyStatus['kind']
  /** Where secrets were kept before, and whether one can be kept at all. */
  earlier: SecretCustody
}

const slot = 'secret'
const ownerOf = (name: string): SecretOwner => ({ kind: 'secret', credential: name, principal: '', user: '' })

/** @returns custody whose names are `remote/<key>` */
export function vaultCustody({ vault, rows, clock, kind, earlier }: VaultCustodyDeps): SecretCustody {
  const put = (name: string, secret: string): Promise<void> =>
    vault.update(ownerOf(name), (stored, seal) => {
      const before = parseContent(stored)
      const version = before.version + 1
      const current = { version, at: clock.now(), by: '', slots: [seal(slot, version, secret)] }
      return { after: contentOf({ ...before, version, current }), result: undefined }
    })
  const stored = async (name: string): Promise<string | null> => {
    const { current } = parseContent((await rows.get(ownerOf(name)))?.content ?? null)
    const sealed = current?.slots.find((each) => each.slot === slot)
    return sealed === undefined ? null : vault.open(ownerOf(name), sealed)
  }
  return {
    kind,
    status: async () => {
      const before = await earlier.status()
      if (!before.kept) return { kind, kept: false, reason: before.reason }
      const status = await vault.status()
      return status.state === 'locked' ? { kind, kept: false, reason: status.reason } : { kind, kept: true }
    },
    put: async (name, secret) => {
      await asCustody(put(name, secret))
      await earlier.delete(name)
    },
    get: async (name) => {
      const secret = await asCustody(stored(name))
      if (secret !== null) return secret
      const moved = await earlier.get(name)
      if (moved === null) return null
      await asCustody(put(name, moved))
      await earlier.delete(name)
      return moved
    },
    delete: async (name) => {
      await removeRow({ rows }, ownerOf(name))
      await earlier.delete(name)
    },
  }
}

async function asCustody<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof AlmanacError && cause.code.startsWith('vault.'))
      throw new AlmanacError('secret.custody', cause.message, { cause })
    throw cause
  }
}
