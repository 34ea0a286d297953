// The vault of an org: opens and seals secrets with the org's data key, which a key service has wrapped
// (docs/reference/credentials.md). It keeps no secret in memory.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { KeyService } from '../ports/key-service.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { SecretOwner, VaultRow, VaultStore, WrappedKey } from '../ports/vault.ts'
import { isSealedAt, openSecret, sealSecret, type DataKey, type SealedSlot } from './seal.ts'

export interface VaultDeps {
  store: VaultStore
  keys: KeyService
  /** Of the org. */
  lineage: string
  clock: Clock
  ids: IdGenerator
  random: Randomness
}

/** `empty` before the first secret; `locked` if a stored key cannot be opened: nothing is read or written then. */
export type VaultStatus = { keys: readonly WrappedKey[] } & (
  { state: 'empty' | 'open' } | { state: 'locked'; reason: string }
)

/** Seals the secrets of one owner. */
export type Seal = (slot: string, version: number, secret: string) => SealedSlot

export interface Vault {
  status(): Promise<VaultStatus>
  /** @throws AlmanacError `vault.key`, `vault.damaged` */
  open(owner: SecretOwner, sealed: SealedSlot): Promise<string>
  /** Whether a secret can be opened; it is not kept. @throws AlmanacError `vault.key` */
  opens(owner: SecretOwner, sealed: SealedSlot): Promise<boolean>
  /**
   * Changes the row of an owner. `change` gets its content, null without one, and runs again if the row was changed in
   * the meantime; null removes the row.
   * @throws AlmanacError `vault.key`, and the errors of `change`
   */
  update<T>(
    owner: SecretOwner,
    change: (before: string | null, seal: Seal) => { after: VaultContent | null; result: T },
  ): Promise<T>
  /** Wraps the data keys with a different key service, in one transaction. Secrets stay as they are. */
  rewrap(by: KeyService): Promise<void>
  /**
   * Encrypts every secret with a new data key and destroys the old ones, in one transaction. The key that wraps it is
   * replaced too, unless it is managed elsewhere.
   */
  renewKey(slotsOf: SlotsOf): Promise<void>
}

export type VaultContent = Pick<VaultRow, 'content' | 'dueAt'>

/** Replaces each sealed slot within the content of a row. */
export type SlotsOf = (row: VaultRow, replace: (slot: SealedSlot) => SealedSlot) => string

const keyBytes = 32

export function createVault(deps: VaultDeps): Vault {
  const { store, lineage, clock, ids, random } = deps
  let service = deps.keys
  const opened = new Map<string, DataKey>()

  const contextOf = (id: string): Buffer => Buffer.from(JSON.stringify(['almanac data key 1', lineage, id]))

  const wrap = async ({ id, bytes }: DataKey, by: KeyService, createdAt: string): Promise<WrappedKey> => {
    const wrapped = Buffer.from(await by.wrap(bytes, contextOf(id))).toString('base64')
    return { id, service: by.kind, wrappedBy: by.name, wrapped, createdAt }
  }
  const unwrap = async (key: WrappedKey): Promise<DataKey> => {
    const known = opened.get(key.id)
    if (known !== undefined) return known
    const bytes = await unwrapWith(service, key, contextOf(key.id))
    const made = { id: key.id, bytes: Buffer.from(bytes) }
    opened.set(key.id, made)
    return made
  }
  const newKey = (): DataKey => ({ id: `vk_${ids.uuid()}`, bytes: Buffer.from(random.bytes(keyBytes)) })

  /** The key that seals; the first secret makes it. */
  const sealingKey = async (): Promise<DataKey> => {
    const [newest] = await store.keys()
    if (newest !== undefined) return unwrap(newest)
    const made = newKey()
    if (await store.addFirstKey(await wrap(made, service, clock.now()))) {
      opened.set(made.id, made)
      return made
    }
    // Another process was faster.
    return sealingKey()
  }
  const keyOf = async (id: string): Promise<DataKey> => {
    const known = opened.get(id)
    if (known !== undefined) return known
    const stored = (await store.keys()).find((each) => each.id === id)
    if (stored === undefined)
      throw new AlmanacError('vault.damaged', `The vault lost its data key ${id}. Restore it from a backup.`)
    return unwrap(stored)
  }
  const openSlot = (key: DataKey, owner: SecretOwner, slot: SealedSlot): string => {
    const secret = openSecret(key, { ...owner, lineage, slot: slot.slot, version: slot.version }, slot)
    if (secret !== null) return secret
    throw new AlmanacError(
      'vault.damaged',
      `The secret "${slot.slot}" was altered in the vault, so it is not used. Write it again, or restore the vault from a backup.`,
    )
  }

  return {
    status: async () => {
      const keys = await store.keys()
      if (keys.length === 0) return { state: 'empty', keys }
      try {
        for (const key of keys) await unwrap(key)
        return { state: 'open', keys }
      } catch (error) {
        if (!(error instanceof AlmanacError) || error.code !== 'vault.key') throw error
        return { state: 'locked', keys, reason: error.message }
      }
    },
    opens: async (owner, slot) => {
      const stored = (await store.keys()).some(({ id }) => id === slot.key)
      if (!stored) return false
      const place = { ...owner, lineage, slot: slot.slot, version: slot.version }
      return isSealedAt(await keyOf(slot.key), place, slot)
    },
    open: async (owner, slot) => openSlot(await keyOf(slot.key), owner, slot),
    update: async (owner, change) => {
      for (;;) {
        const key = await sealingKey()
        const seal: Seal = (slot, version, secret) =>
          sealSecret(key, { ...owner, lineage, slot, version }, secret, random)
        const row = await store.get(owner)
        const { after, result } = change(row?.content ?? null, seal)
        if (after === null && row === null) return result
        const written = after === null ? null : { ...after, key: key.id }
        if (await store.put(owner, row?.revision ?? null, written)) return result
      }
    },
    rewrap: async (by) => {
      for (;;) {
        const contents = await store.contents()
        const keys: WrappedKey[] = []
        for (const key of contents.keys) keys.push(await wrap(await unwrap(key), by, key.createdAt))
        if (await store.replace({ ...contents, keys })) break
      }
      service = by
    },
    renewKey: async (slotsOf) => {
      // Without a data key, a first one that is made at the same time is not wrapped again.
      const keys = await store.keys()
      if (keys.length === 0) return
      // Before the service makes the next key: a vault that is locked gets none.
      for (const key of keys) await unwrap(key)
      const renew = (): Promise<void> => renewDataKey(slotsOf)
      await (service.replaceKey === undefined ? renew() : service.replaceKey(renew))
    },
  }

  async function renewDataKey(slotsOf: SlotsOf): Promise<void> {
    for (;;) {
      const contents = await store.contents()
      for (const key of contents.keys) await unwrap(key)
      const made = newKey()
      const rows = contents.rows.map((row) => ({
        ...row,
        content: slotsOf(row, (slot) => {
          const { slot: name, version } = slot
          const secret = openSlot(opened.get(slot.key)!, row.owner, slot)
          return sealSecret(made, { ...row.owner, lineage, slot: name, version }, secret, random)
        }),
      }))
      const keys = [await wrap(made, service, clock.now())]
      if (!(await store.replace({ ...contents, keys, rows }))) continue
      for (const { bytes } of opened.values()) bytes.fill(0)
      opened.clear()
      opened.set(made.id, made)
      return
    }
  }
}

/** When calls that wait for the key of the vault try again. */
const lockedRetrySec = 30

/** @throws AlmanacError `vault.key`, naming the key and the key service */
async function unwrapWith(service: KeyService, key: WrappedKey, context: Buffer): Promise<Uint8Array> {
  if (key.service !== service.kind)
    throw new AlmanacError(
      'vault.key',
      `The data key ${key.id} of the vault was wrapped by the ${key.service} (${key.wrappedBy}), and this process has the ${service.kind} (${service.name}). Nothing was changed. Start Almanac with the ${key.service} that wrapped it.`,
      { retryAfter: lockedRetrySec },
    )
  try {
    return await service.unwrap(Buffer.from(key.wrapped, 'base64'), context)
  } catch (cause) {
    if (!(cause instanceof AlmanacError) || cause.code !== 'vault.key') throw cause
    throw new AlmanacError(
      'vault.key',
      `The data key ${key.id} of the vault cannot be opened with the ${service.kind} (${service.name}): ${cause.message} Nothing was changed. It was wrapped by ${key.wrappedBy} on ${key.createdAt.slice(0, 10)}; bring that key back.`,
      { cause, retryAfter: lockedRetrySec },
    )
  }
}
