// Wires the vault of an org: its file, and the service that wraps its data key.
import { join } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { createVault, vaultCustody, type Vault } from '../credentials/index.ts'
import type { KeyService } from '../ports/key-service.ts'
import type { CustodyChannel, SecretCustody } from '../ports/secret-custody.ts'
import type { VaultStore } from '../ports/vault.ts'
import { vaultStoreIn } from '../storage/sqlite/index.ts'
import {
  fileCustody,
  fileKeyService,
  keychainKeyService,
  parentCustody,
  systemRandom,
} from '../system/index.ts'
import type { OpenedOrg } from './open-org.ts'
import { vaultFile, vaultKeyFile } from './org-folder.ts'

export interface OpenedVault {
  vault: Vault
  rows: VaultStore
  /** For the secrets of remotes. */
  custody: SecretCustody
}

export interface VaultOptions {
  /** 32 bytes in base64 that the keychain has opened; without it, the key is a file in the org's folder. */
  vaultKey: string | null
  /** The channel to the process with the keychain. */
  channel: CustodyChannel | null
}

export function openVault(
  { dir, store, clock, ids }: Pick<OpenedOrg, 'dir' | 'store' | 'clock' | 'ids'>,
  { vaultKey, channel }: VaultOptions,
): OpenedVault {
  const { lineage } = store.read((reader) => reader.properties.get())
  const rows = vaultStoreIn({ path: vaultFile(dir), lineage })
  const earlier = channel === null ? fileCustody(join(dir, 'secrets')) : parentCustody(channel)
  const keys =
    vaultKey === null
      ? ifKept(earlier, fileKeyService(vaultKeyFile(dir), systemRandom))
      : keychainKeyService(vaultKey, systemRandom)
  const vault = createVault({ store: rows, keys, lineage, clock, ids, random: systemRandom })
  const kind = channel === null ? 'file' : 'keychain'
  return { vault, rows, custody: vaultCustody({ vault, rows, clock, kind, earlier }) }
}

/** In the desktop studio, a file holds a key only if the user has chosen that. */
function ifKept(custody: SecretCustody, service: KeyService): KeyService {
  const requireKept = async (): Promise<void> => {
    const status = await custody.status()
    if (!status.kept) throw new AlmanacError('secret.custody', status.reason)
  }
  return {
    ...service,
    wrap: async (dataKey, context) => {
      await requireKept()
      return service.wrap(dataKey, context)
    },
  }
}
